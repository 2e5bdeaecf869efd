package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.QueryException;

/** What is made of two vectors. */
abstract class PairedNode implements VectorNode {
  final VectorNode left;
  final VectorNode right;

  PairedNode(VectorNode left, VectorNode right) {
    this.left = left;
    this.right = right;
  }

  @Override
  public void prepare(Moments moments) throws QueryException {
    left.prepare(moments);
    right.prepare(moments);
  }

  @Override
  public void close() {
    left.close();
    right.close();
  }
}
