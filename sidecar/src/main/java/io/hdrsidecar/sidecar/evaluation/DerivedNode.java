package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;
import java.util.List;

/** What is made of one other vector. */
abstract class DerivedNode implements VectorNode {
  private final VectorNode of;

  DerivedNode(VectorNode of) {
    this.of = of;
  }

  @Override
  public void prepare(Moments moments) throws QueryException {
    of.prepare(moments);
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    return derive(of.at(step, annotations), annotations);
  }

  abstract List<Element> derive(List<Element> elements, Annotations annotations)
      throws QueryException;

  @Override
  public void close() {
    of.close();
  }
}
