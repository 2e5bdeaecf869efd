package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import java.util.List;

/** An expression that gives a vector, ready to be evaluated step by step. One thread at a time. */
interface VectorNode extends AutoCloseable {
  /**
   * Takes hold of what it reads.
   *
   * @throws QueryException when that is too much, or cannot be answered
   */
  void prepare(Moments moments) throws QueryException;

  /**
   * The elements at a step, which is the last one or the next. Histograms in them are good until
   * the next step.
   */
  List<Element> at(int step, Annotations annotations) throws QueryException;

  /** Lets go. */
  @Override
  void close();
}
