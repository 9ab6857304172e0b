package io.millrace.server.accounting.letter;

import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.server.mail.MailMessage;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes a letter of what the campaign server wants to tell. Its words stand here: whoever could
 * write the campaign server's facts could not have any other kind of letter sent.
 */
public final class CampaignNotices {

  private static final String ENDED = "ENDED";

  /** So long a letter may be before its end, which every letter has. */
  private static final int TEXT_MAX = 3_500;

  /** Characters of a name or a message. */
  private static final int LINE_MAX = 250;

  private static final Pattern CODE = Pattern.compile("[A-Z_]{1,40}");

  private final MailQueue box;

  public CampaignNotices(MailQueue box) {
    this.box = box;
  }

  /** What was to be told before mail began is old. */
  public void follow(NoticeWritten fact) {
    boolean known = fact.getGroups().stream().allMatch(it -> CODE.matcher(it.getCode()).matches());
    if (fact.getAtMs() >= box.sinceMs() && !fact.getGroups().isEmpty() && known) {
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

  /** What users have named stays on its line, and is none of its own. */
  private static String line(String text) {
    String line = text.replaceAll("\\p{Cc}", " ");
    return line.length() > LINE_MAX ? line.substring(0, LINE_MAX) + "..." : line;
  }

  private static String text(NoticeGroup one) {
    String which = one.getEvent() == 0 ? "" : "event " + one.getEvent() + ": ";
    String first = one.getCount() == 1 ? "" : "the first is ";
    return what(one) + of(one, true) + ":\n  " + first + which + line(one.getMessage()) + '\n';
  }

  private static String text(NoticeWritten fact) {
    StringBuilder text = new StringBuilder();
    int more = fact.getMore();
    for (NoticeGroup one : fact.getGroups()) {
      String next = text(one);
      if (text.length() + next.length() > TEXT_MAX) {
        more++;
      } else {
        text.append(next);
      }
    }
    if (more > 0) {
      text.append("and ").append(more).append(" further things.\n");
    }
    text.append("\ngridevents shows what is open and what mends it.\n");
    text.append("This mail is told to ").append(line(fact.getUser()));
    text.append(" of Millrace, who ends it with gridnotify -u.\n");
    return text.toString();
  }
}
