package io.millrace.ops.plus;

import io.millrace.reservations.classad.evaluation.WorkBounds;
import io.millrace.reservations.classad.plus.Explanation;
import io.millrace.reservations.classad.plus.ReservableAd;
import io.millrace.reservations.classad.plus.ReservableRule;
import io.millrace.reservations.classad.text.ClassAdRefused;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.util.ArrayList;
import java.util.List;

/** A reservable.ad that was accepted. */
public final class ReservableText {

  private final String file;
  private final ReservableAd ad;

  private ReservableText(String file, ReservableAd ad) {
    this.file = file;
    this.ad = ad;
  }

  /** Whether a text is a ClassAd. */
  public static boolean describes(String text) {
    return ReservableAd.describes(text);
  }

  /**
   * Reads a text.
   *
   * @throws ConfigurationRefused with file, line, column and reason
   */
  public static ReservableText of(String file, String text) {
    try {
      return new ReservableText(file, ReservableAd.parse(text));
    } catch (ClassAdRefused e) {
      throw new ConfigurationRefused(file, e.line(), "column " + e.column() + ": " + e.reason());
    }
  }

  /** What is probably not meant, with the file before it. */
  public List<String> notes() {
    return ad.notes().stream().map(each -> file + ": " + each).toList();
  }

  /** What check says: that it is valid, and what is probably not meant. */
  public List<String> check() {
    List<String> lines = new ArrayList<>();
    lines.add(
        file
            + ": which nodes may be reserved, as a ClassAd, "
            + ad.attributes().all().size()
            + " attributes, all valid");
    lines.addAll(notes());
    return lines;
  }

  /** What each attribute is for a sample. */
  public List<String> explain(SampleQuestion sample) {
    ReservableRule rule =
        new ReservableRule(ad, (owner, from, to) -> sample.used(), WorkBounds.USUAL);
    return new Explanation(ad, rule).lines(sample.question(), sample.moment());
  }
}
