package io.hdrsidecar.sidecar.demo;

/** The service under load, as one thread calls it. */
interface MockService {
  /** Takes as long as a call takes; only the thread it was made for may call. */
  void call();
}
