package io.millrace.server.accounting.letter;

import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.server.mail.MailMessage;
import java.util.List;
import java.util.Locale;

/**
 * Makes a letter of what the campaign server wants to tell. Its words stand here: whoever could
 * write the campaign server's facts could not have any other kind of letter sent.
 */
public final class CampaignNotices {

  private static final String ENDED = "ENDED";

  private final MailQueue box;

  public CampaignNotices(MailQueue box) {
    this.box = box;
  }

  /** What was to be told before mail began is old. */
  public void follow(NoticeWritten fact) {
    if (fact.getAtMs() >= box.sinceMs() && !fact.getGroups().isEmpty()) {
      String severity = fact.getSeverity().name().toLowerCase(Locale.ROOT);
      String subject = "[CIGRI] (" + severity + "): " + subject(fact);
      box.put(new MailMessage(fact.getAtMs(), List.of(fact.getAddress()), subject, text(fact)));
    }
  }

  private static String subject(NoticeWritten fact) {
    NoticeGroup first = fact.getGroups().get(0);
    int others = fact.getGroups().size() - 1 + fact.getMore();
    String and = others == 0 ? "" : ", and " + others + " more";
    return what(first) + of(first, false) + and;
  }

  private static String what(NoticeGroup one) {
    if (one.getCode().equals(ENDED)) {
      return "the end";
    }
    return one.getCount() == 1 ? one.getCode() : one.getCount() + " " + one.getCode();
  }

  private static String of(NoticeGroup one, boolean named) {
    String at = one.getCluster().isEmpty() ? "" : " on " + line(one.getCluster());
    String name = named && !one.getName().isEmpty() ? " (" + line(one.getName()) + ")" : "";
    return (one.getCampaign() == 0 ? "" : " of campaign " + one.getCampaign() + name) + at;
  }

  /** What users have named stays on its line. */
  private static String line(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  private static String text(NoticeWritten fact) {
    StringBuilder text = new StringBuilder();
    for (NoticeGroup one : fact.getGroups()) {
      text.append(what(one)).append(of(one, true)).append(":\n");
      String which = one.getEvent() == 0 ? "" : "event " + one.getEvent() + ": ";
      String first = one.getCount() == 1 ? "" : "the first is ";
      text.append("  ").append(first).append(which).append(line(one.getMessage())).append('\n');
    }
    if (fact.getMore() > 0) {
      text.append("and ").append(fact.getMore()).append(" further things.\n");
    }
    text.append(
        "\ngridevents shows what is open and what mends it, gridnotify -u ends this mail.\n");
    return text.toString();
  }
}
