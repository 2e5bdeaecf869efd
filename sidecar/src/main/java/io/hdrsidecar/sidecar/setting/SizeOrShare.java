package io.hdrsidecar.sidecar.setting;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A size, or a share of what the heap has beyond an idle sidecar; in bytes. */
public final class SizeOrShare implements SettingParser {
  private static final Pattern SHARE = Pattern.compile("(\\d{1,3})%");
  private static final int MOST_PERCENT = 90;

  @Override
  public Long parse(String text, long heapBytes) {
    Matcher share = SHARE.matcher(text.strip());
    if (!share.matches()) {
      return SettingTypes.sizeWithin(text, "1MiB to 1024GiB");
    }
    int percent = Integer.parseInt(share.group(1));
    if (percent < 1 || percent > MOST_PERCENT) {
      throw new IllegalArgumentException("must be from 1% to " + MOST_PERCENT + "%: " + text);
    }
    return HeapBudget.percentOf(percent, heapBytes);
  }
}
