package io.hdrsidecar.sidecar.promql;

import java.util.List;

/**
 * Which elements of two vectors belong together.
 *
 * @param on whether the labels are those that count, and not those that do not
 * @param group whether several of one side may belong to one of the other
 * @param include labels that are taken over from the one
 */
public record Matching(boolean on, List<String> labels, Group group, List<String> include) {
  /** By all labels. */
  public static final Matching DEFAULT = new Matching(false, List.of(), Group.NONE, List.of());

  /** On which side there may be several. */
  public enum Group {
    NONE(""),
    LEFT("group_left"),
    RIGHT("group_right");

    private final String keyword;

    Group(String keyword) {
      this.keyword = keyword;
    }

    /** As it is written. */
    public String keyword() {
      return keyword;
    }
  }
}
