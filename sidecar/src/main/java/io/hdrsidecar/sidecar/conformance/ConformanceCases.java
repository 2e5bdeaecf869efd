package io.hdrsidecar.sidecar.conformance;

import java.util.List;
import java.util.stream.Stream;

/** All cases, in the order in which they are played and shown. */
final class ConformanceCases {
  private ConformanceCases() {}

  static List<ConformanceCase> all() {
    return Stream.of(
            GoodCases.all(),
            TlsCases.all(),
            AnswerCases.all(),
            CutCases.all(),
            NumberCases.all(),
            RefusalCases.all(),
            DamageCases.all(),
            EndCases.all())
        .flatMap(List::stream)
        .toList();
  }
}
