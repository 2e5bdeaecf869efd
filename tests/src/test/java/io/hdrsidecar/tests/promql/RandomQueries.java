package io.hdrsidecar.tests.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Queries about a load, and moments to ask them at, drawn from a seed. */
final class RandomQueries {
  private static final List<String> PATTERNS = List.of(".*", ".+", "/pay|/cart", "a|b", "1.*", "");

  private static final List<Window.Kind> KINDS =
      List.of(Window.Kind.RATE, Window.Kind.RATE, Window.Kind.INCREASE, Window.Kind.TOTAL);

  private final SplittableRandom random;
  private final RecordedLoad load;

  RandomQueries(RecordedLoad load, long seed) {
    this.load = load;
    this.random = new SplittableRandom(seed);
  }

  /** A moment from a little after the beginning of the load to a little after its end. */
  long moment() {
    long second = 20L + random.nextInt(RecordedLoad.SECONDS - 19);
    return load.originMillis()
        + second * 1000L
        + (random.nextInt(3) == 0 ? random.nextInt(1000) : 0);
  }

  PromqlQuery next() {
    RecordedSeries about = one(load.series());
    Figure figure = figure();
    boolean hasClassicForm =
        figure instanceof Figure.Count
            || figure instanceof Figure.Sum
            || figure instanceof Figure.Mean
            || figure instanceof Figure.Quantile;
    boolean isClassic = hasClassicForm && random.nextInt(3) == 0;
    if (isClassic && figure instanceof Figure.Quantile quantile) {
      figure = new Figure.Quantile(quantile.quantile(), true);
    }
    Selection selection = selection(about);
    return new PromqlQuery(
        selection, window(selection), grouping(about), figure, isClassic, outer(about));
  }

  private Selection selection(RecordedSeries about) {
    List<Selection.Match> matches = new ArrayList<>();
    about
        .labels()
        .forEach(
            (label, value) -> {
              switch (random.nextInt(PromqlQuery.SORTS.contains(label) ? 4 : 8)) {
                case 0, 1 -> matches.add(new Selection.Match(label, "=", value));
                case 2 -> matches.add(new Selection.Match(label, "=~", value + "|x"));
                case 3 -> matches.add(new Selection.Match(label, "!=", "no" + value));
                case 4 ->
                    matches.add(
                        new Selection.Match(label, one(List.of("=~", "!~")), one(PATTERNS)));
                default -> {}
              }
            });
    if (about.name().equals("paced")
        && !about.labels().containsKey("corrected")
        && random.nextInt(4) > 0) {
      matches.add(new Selection.Match("corrected", "=", ""));
    }
    if (random.nextInt(20) == 0) {
      matches.add(new Selection.Match("nowhere", one(List.of("=", "!=")), one(List.of("", "x"))));
    }
    return new Selection(about.name(), matches, random.nextInt(8) == 0);
  }

  private Window window(Selection selection) {
    long range = one(List.of(5_000L, 10_000L, 20_000L, 30_000L, 60_000L));
    if (random.nextInt(6) == 0 && !selection.name().equals("steady")) {
      range += random.nextInt(1000);
    }
    Window.Kind kind = one(KINDS);
    if (kind == Window.Kind.TOTAL) {
      return new Window(kind, 0, 0, null);
    }
    long offset = random.nextInt(5) == 0 ? random.nextInt(-10, 20) * 1000L : 0;
    Long at = random.nextInt(10) == 0 ? moment() / 1000 * 1000 : null;
    return new Window(kind, range, offset, at);
  }

  private KeptLabels grouping(RecordedSeries about) {
    List<String> labels = new ArrayList<>(about.labels().keySet());
    labels.removeIf(label -> random.nextBoolean());
    if (random.nextInt(10) == 0) {
      labels.add("nowhere");
    }
    return switch (random.nextInt(6)) {
      case 0 -> new KeptLabels(KeptLabels.Kind.ALL, List.of());
      case 1, 2 -> new KeptLabels(KeptLabels.Kind.BY, labels);
      case 3 -> new KeptLabels(KeptLabels.Kind.WITHOUT, labels);
      default -> KeptLabels.NONE;
    };
  }

  private Figure figure() {
    return switch (random.nextInt(10)) {
      case 0 -> new Figure.Count();
      case 1 -> new Figure.Sum();
      case 2 -> new Figure.Mean();
      case 3 -> new Figure.Deviation();
      case 4 ->
          new Figure.Fraction(one(List.of(0.0, 0.0, 0.0013)), one(List.of(0.003, 0.021, 0.11)));
      default -> new Figure.Quantile(quantile(), false);
    };
  }

  private double quantile() {
    return random.nextBoolean()
        ? one(List.of(0.5, 0.9, 0.99, 0.999, 0.9999, 0.0, 1.0))
        : random.nextInt(1, 1000) / 1000.0;
  }

  private List<Outer> outer(RecordedSeries about) {
    List<Outer> outer = new ArrayList<>();
    if (random.nextInt(5) == 0) {
      outer.add(
          new Outer.Arithmetic(
              one(List.of("*", "/", "+", "-")),
              one(List.of(1000.0, 2.0, 0.5, -1.0)),
              random.nextBoolean()));
    }
    if (random.nextInt(8) == 0) {
      outer.add(
          new Outer.Together(one(List.of("sum", "max", "min", "avg", "count")), together(about)));
    }
    if (random.nextInt(10) == 0) {
      outer.add(
          new Outer.Relabelled("made", one(List.of("route", "shard", "pod")), "(.).*", "x-$1"));
    }
    switch (random.nextInt(12)) {
      case 0 ->
          outer.add(
              new Outer.Compared(
                  one(List.of(">", "<", ">=", "<=")),
                  one(List.of(0.002, 0.02, 30.0, 1.0)),
                  random.nextInt(3) == 0));
      case 1 -> outer.add(new Outer.Top(1 + random.nextInt(3), random.nextBoolean()));
      case 2 -> outer.add(new Outer.Sorted(random.nextBoolean()));
      default -> {}
    }
    return outer;
  }

  private KeptLabels together(RecordedSeries about) {
    KeptLabels grouping = grouping(about);
    return grouping.kind() == KeptLabels.Kind.NONE
        ? new KeptLabels(KeptLabels.Kind.ALL, List.of())
        : grouping;
  }

  private <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
