package io.millrace.server.campaigns.core.notice;

import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.schemas.campaign.NoticesSubscribed;
import io.millrace.schemas.campaign.NoticesUnsubscribed;
import io.millrace.schemas.campaign.SubscribeNotices;
import io.millrace.schemas.campaign.Subscription;
import io.millrace.schemas.campaign.UnsubscribeNotices;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Decides who subscribes, and when letters are written. Changes nothing. */
public final class NoticeDeciders {

  /** Addresses of a user. */
  static final int OWNED_MAX = 10;

  /** Of all users: what concerns all passes over them. */
  static final int ALL_MAX = 1_000;

  /** So long after the first thing a letter is written, for what goes wrong seldom does so once. */
  static final long GATHER_MS = 10_000;

  /** So long no further letter is written to an address of a user. */
  static final long PAUSE_MS = 600_000;

  /** Letters of one transaction. */
  static final int LETTERS_MAX = 100;

  /** What neither a mail program nor a server takes for something else. */
  private static final Pattern ADDRESS =
      Pattern.compile("[A-Za-z0-9_.+=%][A-Za-z0-9_.+=%-]{0,63}(@[A-Za-z0-9_.-]{1,180})?");

  private final CampaignTable table;

  public NoticeDeciders(CampaignTable table) {
    this.table = table;
  }

  private Optional<Subscription> find(CommandMeta meta, String address) {
    String key = CampaignKeys.subscription(meta.getPrincipal(), address);
    return Optional.ofNullable((Subscription) table.get(key));
  }

  private int count(String prefix) {
    int[] count = {0};
    table.scan(prefix, it -> count[0]++);
    return count[0];
  }

  /** Other addresses to which none of the user's mail goes now, but did so lately. */
  private int left(CommandMeta meta, String address, long nowMs) {
    int[] count = {0};
    table.scan(
        CampaignKeys.UNSUBSCRIBED + CampaignKeys.subscriptions(meta.getPrincipal()),
        it -> {
          Subscription ended = (Subscription) it;
          if (pauses(ended, nowMs) && !ended.getAddress().equals(address)) {
            count[0]++;
          }
        });
    return count[0];
  }

  /**
   * Whether it is too soon for a further letter; a time ahead of now is past, as clocks are set.
   */
  static boolean pauses(Subscription subscription, long nowMs) {
    return isWithin(subscription.getWrittenMs(), PAUSE_MS, nowMs);
  }

  private static boolean isWithin(long sinceMs, long lastsMs, long nowMs) {
    return sinceMs > nowMs - lastsMs && sinceMs <= nowMs;
  }

  private static boolean operator(CommandMeta meta) {
    return meta.getRole() == Role.MANAGER || meta.getRole() == Role.OPERATOR;
  }

  /** Why it is refused; empty when it is not. */
  private String wrong(SubscribeNotices command, long nowMs) {
    CommandMeta meta = command.getMeta();
    if (!ADDRESS.matcher(command.getAddress()).matches()) {
      return "that is no address to which mail goes";
    }
    if (find(meta, command.getAddress()).isPresent()) {
      return "";
    }
    int owned = count(CampaignKeys.subscriptions(meta.getPrincipal()));
    if (owned >= OWNED_MAX) {
      return "mail goes to " + OWNED_MAX + " addresses of yours, and to no more";
    }
    if (owned + left(meta, command.getAddress(), nowMs) >= OWNED_MAX) {
      return "mail went to " + OWNED_MAX + " addresses of yours just now; try it in ten minutes";
    }
    return count(CampaignKeys.SUBSCRIPTIONS) >= ALL_MAX
        ? "mail goes to " + ALL_MAX + " addresses of all users, and to no more"
        : "";
  }

  /** The fact; none when nothing changes. */
  public Optional<NoticesSubscribed> decide(SubscribeNotices command, long nowMs) {
    CommandMeta meta = command.getMeta();
    NoticeSeverity severity = command.getSeverity();
    boolean same =
        find(meta, command.getAddress())
            .filter(it -> it.getSeverity() == severity && it.getOperator() == operator(meta))
            .isPresent();
    return same || !wrong(command, nowMs).isEmpty()
        ? Optional.empty()
        : Optional.of(
            new NoticesSubscribed(
                nowMs, meta.getPrincipal(), command.getAddress(), severity, operator(meta)));
  }

  public Reply answer(SubscribeNotices command, long nowMs) {
    String wrong = wrong(command, nowMs);
    int code = wrong.isEmpty() ? 0 : PbsError.ILLEGAL_VALUE.code();
    return new Reply(command.getMeta().getId(), code, List.of(wrong), false);
  }

  public Optional<NoticesUnsubscribed> decide(UnsubscribeNotices command, long nowMs) {
    CommandMeta meta = command.getMeta();
    return find(meta, command.getAddress())
        .map(it -> new NoticesUnsubscribed(nowMs, meta.getPrincipal(), command.getAddress()));
  }

  public Reply answer(UnsubscribeNotices command) {
    boolean known = find(command.getMeta(), command.getAddress()).isPresent();
    int code = known ? 0 : PbsError.UNKNOWN_JOB.code();
    String line = known ? "" : "no mail of yours goes to " + command.getAddress();
    return new Reply(command.getMeta().getId(), code, List.of(line), false);
  }

  /** What is told now: gathered, and not too soon after the last letter. */
  public List<NoticeWritten> due(long nowMs) {
    List<NoticeWritten> letters = new ArrayList<>();
    table.scan(
        CampaignKeys.SUBSCRIPTIONS,
        CampaignKeys.SUBSCRIPTIONS,
        it -> {
          Subscription subscription = (Subscription) it;
          if (!subscription.getWaiting().isEmpty()
              && !isWithin(subscription.getSinceMs(), GATHER_MS, nowMs)
              && !pauses(subscription, nowMs)) {
            letters.add(letter(subscription, nowMs));
          }
          return letters.size() < LETTERS_MAX;
        });
    return letters;
  }

  private static NoticeWritten letter(Subscription subscription, long nowMs) {
    NoticeSeverity most =
        subscription.getWaiting().stream()
            .map(NoticeGroup::getSeverity)
            .max(NoticeSeverity::compareTo)
            .orElseThrow();
    return new NoticeWritten(
        nowMs,
        subscription.getUser(),
        subscription.getAddress(),
        most,
        subscription.getWaiting(),
        subscription.getMore());
  }
}
