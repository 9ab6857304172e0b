package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about metrics is generated from the table of metrics. */
class MetricsPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root")).resolve("docs/metrics.md");

  private static final String HEAD =
      """
      # Metrics

      Made from the table of metrics (`Metric`); do not edit. To make it anew after a change:
      `./mvnw -pl ops -am test -Dtest=MetricsPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      What each part tells at `/metrics` of its [address of health](health.md), in Prometheus' text format 0.0.4. Counters
      begin with the process; those of several servers are to be added. A histogram has `_bucket`, `_sum` and `_count`. No
      label has a job or a user. A metric has at most 2,000 series in a part; what would be one more is left out.
      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    String page = page();
    if (Boolean.getBoolean("millrace.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page, Files.exists(PAGE) ? Files.readString(PAGE) : "");
  }

  @Test
  void eachPartHasNumbersOfItsOwn() {
    for (PartKind part : PartKind.values()) {
      assertTrue(
          List.of(Metric.values()).stream()
              .anyMatch(it -> it.parts().contains(part) && it.parts().size() < 3),
          part.text());
    }
  }

  private static String page() {
    StringBuilder page = new StringBuilder(HEAD);
    String before = "";
    for (Metric metric : Metric.values()) {
      String title = title(metric.parts());
      if (!title.equals(before)) {
        page.append("\n## ").append(title).append("\n\n");
        before = title;
      }
      page.append(item(metric));
    }
    return page.toString();
  }

  private static String title(Set<PartKind> parts) {
    if (parts.size() == PartKind.values().length) {
      return "All parts";
    }
    String names = parts.stream().map(PartKind::text).collect(Collectors.joining(", "));
    return names.substring(0, 1).toUpperCase(Locale.ROOT) + names.substring(1);
  }

  /** An item of a list, in lines of 120 characters at most. */
  private static String item(Metric metric) {
    String labels =
        metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
    String head =
        "- `%s` (%s; %s%s):\n"
            .formatted(
                metric.text(),
                metric.kind().name().toLowerCase(Locale.ROOT),
                metric.unit(),
                labels.isEmpty() ? "" : "; by " + labels);
    return head + metric.meaning().replaceAll("(.{1,118})(?: +|$)", "  $1\n");
  }
}
