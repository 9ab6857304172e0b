package io.millrace.server.campaigns.core.notice;

import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.schemas.campaign.NoticesSubscribed;
import io.millrace.schemas.campaign.NoticesUnsubscribed;
import io.millrace.schemas.campaign.Subscription;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Changes subscriptions by facts, and gathers with them what is to be told. */
public final class NoticeAppliers {

  /** Different things that one letter tells of; of others it says how many there were. */
  static final int GROUPS_MAX = 20;

  private static final int MESSAGE_MAX = 200;

  private final CampaignTable table;

  public NoticeAppliers(CampaignTable table) {
    this.table = table;
  }

  /** Whether the fact is one about subscriptions; then it is applied. */
  public boolean apply(SpecificRecord fact) {
    if (fact instanceof NoticesSubscribed subscribed) {
      subscribed(subscribed);
    } else if (fact instanceof NoticesUnsubscribed gone) {
      unsubscribed(gone);
    } else if (fact instanceof NoticeWritten written) {
      written(written);
    } else {
      return false;
    }
    return true;
  }

  private Subscription find(String user, String address) {
    return (Subscription) table.get(CampaignKeys.subscription(user, address));
  }

  private void put(Subscription subscription) {
    String key = CampaignKeys.subscription(subscription.getUser(), subscription.getAddress());
    table.put(key, subscription);
  }

  private void subscribed(NoticesSubscribed fact) {
    Subscription subscription = find(fact.getUser(), fact.getAddress());
    if (subscription == null) {
      forgetPauses(fact.getAtMs());
      String before = CampaignKeys.unsubscribed(fact.getUser(), fact.getAddress());
      subscription = (Subscription) table.get(before);
      table.put(before, null);
    }
    if (subscription == null) {
      subscription = new Subscription();
      subscription.setUser(fact.getUser());
      subscription.setAddress(fact.getAddress());
      subscription.setWaiting(List.of());
    }
    subscription.setSeverity(fact.getSeverity());
    subscription.setOperator(fact.getOperator());
    put(subscription);
  }

  /** Whoever subscribes again has no letter sooner for that. */
  private void unsubscribed(NoticesUnsubscribed fact) {
    Subscription subscription = find(fact.getUser(), fact.getAddress());
    table.put(CampaignKeys.subscription(fact.getUser(), fact.getAddress()), null);
    if (NoticeDeciders.pauses(subscription, fact.getAtMs())) {
      forgetWaiting(subscription);
      table.put(CampaignKeys.unsubscribed(fact.getUser(), fact.getAddress()), subscription);
    }
  }

  private void forgetPauses(long nowMs) {
    List<Subscription> ended = new ArrayList<>();
    table.scan(CampaignKeys.UNSUBSCRIBED, it -> ended.add((Subscription) it));
    for (Subscription it : ended) {
      if (!NoticeDeciders.pauses(it, nowMs)) {
        table.put(CampaignKeys.unsubscribed(it.getUser(), it.getAddress()), null);
      }
    }
  }

  private static void forgetWaiting(Subscription subscription) {
    subscription.setWaiting(List.of());
    subscription.setSinceMs(0L);
    subscription.setMore(0);
  }

  private void written(NoticeWritten fact) {
    Subscription subscription = find(fact.getUser(), fact.getAddress());
    forgetWaiting(subscription);
    subscription.setWrittenMs(fact.getAtMs());
    put(subscription);
  }

  /**
   * Something has happened.
   *
   * @param users who are told if they have subscribed
   * @param operators whether those are told too who subscribed as operators
   */
  public void happened(Set<String> users, boolean operators, NoticeGroup one, long atMs) {
    String message = one.getMessage();
    if (message.length() > MESSAGE_MAX) {
      one.setMessage(message.substring(0, MESSAGE_MAX) + "...");
    }
    List<Subscription> concerned = new ArrayList<>();
    Consumer<SpecificRecord> each =
        it -> {
          Subscription subscription = (Subscription) it;
          boolean his =
              users.contains(subscription.getUser()) || operators && subscription.getOperator();
          if (his && subscription.getSeverity().compareTo(one.getSeverity()) <= 0) {
            concerned.add(subscription);
          }
        };
    if (operators) {
      table.scan(CampaignKeys.SUBSCRIPTIONS, each);
    } else {
      // What fails is of one user mostly, and may fail often.
      users.forEach(user -> table.scan(CampaignKeys.subscriptions(user), each));
    }
    concerned.forEach(it -> gather(it, one, atMs));
  }

  private void gather(Subscription subscription, NoticeGroup one, long atMs) {
    List<NoticeGroup> waiting = new ArrayList<>(subscription.getWaiting());
    NoticeGroup equal = waiting.stream().filter(it -> isEqual(it, one)).findFirst().orElse(null);
    if (equal != null) {
      equal.setCount(equal.getCount() + 1);
    } else if (waiting.size() < GROUPS_MAX) {
      waiting.add(NoticeGroup.newBuilder(one).build());
    } else {
      subscription.setMore(subscription.getMore() + 1);
    }
    subscription.setWaiting(waiting);
    subscription.setSinceMs(subscription.getSinceMs() == 0 ? atMs : subscription.getSinceMs());
    put(subscription);
  }

  private static boolean isEqual(NoticeGroup one, NoticeGroup other) {
    return one.getCampaign() == other.getCampaign()
        && one.getCode().equals(other.getCode())
        && one.getCluster().equals(other.getCluster());
  }
}
