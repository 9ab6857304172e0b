package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.schemas.campaign.Subscription;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.MemoryTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is told of what, and when. */
final class NoticeTest {

  private static final String ADA = "ada@example.org";

  private final CampaignTrial trial = new CampaignTrial();

  private static List<String> told(NoticeWritten letter) {
    return letter.getGroups().stream().map(NoticeTest::told).toList();
  }

  private static String told(NoticeGroup one) {
    return one.getCampaign() + " " + one.getCode() + " " + one.getCount() + " " + one.getCluster();
  }

  private void subscribe(String user, Role role, String address, NoticeSeverity severity) {
    Reply reply = trial.subscribe(user, role, address, severity);
    assertEquals(0, reply.getCode(), reply.toString());
  }

  private long failing(int tasks) {
    trial.seen("c1", tasks, tasks);
    long id = trial.submit(tasks, CampaignTrial.cluster("c1", tasks));
    for (String tag : List.copyOf(trial.jobs.keySet())) {
      trial.tell(tag, JobChange.FINISHED, 3);
    }
    return id;
  }

  @Test
  void manyEqualOnesAreOneAndNothingIsToldTwice() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.HIGH);
    failing(4);
    assertEquals(List.of(), trial.letters(), "more may follow at once");
    trial.nowMs += 10_000;
    NoticeWritten letter = trial.letters().get(0);
    assertEquals(List.of("1 EXIT_ERROR 4 c1"), told(letter));
    assertEquals(ADA, letter.getAddress());
    assertEquals(NoticeSeverity.HIGH, letter.getSeverity());
    assertEquals("exit status 3", letter.getGroups().get(0).getMessage());
    assertEquals(1, letter.getGroups().get(0).getEvent());
    trial.restart();
    trial.nowMs += 600_000;
    assertEquals(List.of(), trial.letters());
  }

  @Test
  void aFurtherLetterComesAfterAPauseWithAllThatWasGathered() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.LOW);
    failing(1);
    trial.nowMs += 10_000;
    assertEquals(1, trial.letters().size());
    trial.fix(1, 0, "ada", Role.USER, false);
    failing(2);
    trial.nowMs += 500_000;
    assertEquals(List.of(), trial.letters());
    trial.nowMs += 100_000;
    NoticeWritten letter = trial.letters().get(0);
    assertEquals(List.of("1 ENDED 1 ", "2 EXIT_ERROR 2 c1"), told(letter));
    assertEquals("0 of 1 tasks done, 1 failed", letter.getGroups().get(0).getMessage());
    assertEquals(NoticeSeverity.HIGH, letter.getSeverity());
  }

  @Test
  void whatMattersLessIsNotTold() {
    subscribe("ada", Role.USER, "medium", NoticeSeverity.MEDIUM);
    subscribe("ada", Role.USER, "high", NoticeSeverity.HIGH);
    subscribe("bob", Role.USER, "bob", NoticeSeverity.LOW);
    trial.seen("c1", 1, 1);
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.refuse("1.0.1");
    trial.nowMs += 10_000;
    List<NoticeWritten> letters = trial.letters();
    assertEquals(1, letters.size(), "it ends by itself, and is none of Bob's");
    assertEquals("medium", letters.get(0).getAddress());
    assertEquals(List.of("1 SUBMIT_ERROR 1 c1"), told(letters.get(0)));
  }

  @Test
  void whatStopsAClusterIsToldToOperatorsAndToThoseWhoWantIt() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.LOW);
    subscribe("bob", Role.USER, "bob", NoticeSeverity.LOW);
    subscribe("oscar", Role.OPERATOR, "oscar", NoticeSeverity.LOW);
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 1, 0, "QUEUE_STOPPED");
    trial.nowMs += 10_000;
    List<NoticeWritten> letters = trial.letters();
    assertEquals(List.of(ADA, "oscar"), letters.stream().map(NoticeWritten::getAddress).toList());
    assertEquals(List.of("0 QUEUE_STOPPED 1 c1", "0 BLACKLIST 1 c1"), told(letters.get(1)));
    assertEquals("because of event 1", letters.get(1).getGroups().get(1).getMessage());
    assertEquals(NoticeSeverity.MEDIUM, letters.get(1).getSeverity(), "it ends by itself");
  }

  @Test
  void whatFollowsFromWhatEndsByItselfIsToldToNobodyWhoWantsOnlyWhatHasToBeMended() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.HIGH);
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 1, 0, "QUEUE_STOPPED");
    trial.nowMs += 10_000;
    assertEquals(List.of(), trial.letters());
    trial.seen("c1", 1, 1, "");
    for (int i = 0; i < EventBook.FAILED_IN_A_ROW; i++) {
      trial.submit(1, CampaignTrial.cluster("c1", 0));
    }
    long id = trial.submit(EventBook.FAILED_IN_A_ROW, CampaignTrial.cluster("c1", 9));
    while (trial.events(id).isEmpty() || !trial.jobs.isEmpty()) {
      String tag = trial.any();
      trial.tell(tag, JobChange.FINISHED, tag.startsWith(id + ".") ? 3 : 0);
    }
    trial.nowMs += 10_000;
    assertEquals(
        List.of(id + " EXIT_ERROR 5 c1", id + " BLACKLIST 1 c1"), told(trial.letters().get(0)));
  }

  @Test
  void whoSubscribesAgainHasNoLetterSooner() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.HIGH);
    failing(1);
    trial.nowMs += 10_000;
    assertEquals(1, trial.letters().size());
    for (int i = 0; i < 3; i++) {
      assertEquals(0, trial.unsubscribe("ada", ADA).getCode());
      failing(1);
      trial.restart();
      subscribe("ada", Role.USER, ADA, NoticeSeverity.HIGH);
      failing(2);
      trial.nowMs += 10_000;
      assertEquals(List.of(), trial.letters());
    }
    trial.nowMs += 600_000;
    assertEquals(1, trial.letters().get(0).getGroups().size(), "of the last subscription");
  }

  @Test
  void whoeverChangesHisAddressesHasNoMoreLetters() {
    for (int i = 0; i < 10; i++) {
      subscribe("ada", Role.USER, "a" + i, NoticeSeverity.HIGH);
    }
    failing(1);
    trial.nowMs += 10_000;
    assertEquals(10, trial.letters().size());
    for (int i = 0; i < 10; i++) {
      assertEquals(0, trial.unsubscribe("ada", "a" + i).getCode());
    }
    Reply reply = trial.subscribe("ada", Role.USER, "b", NoticeSeverity.HIGH);
    assertEquals(
        List.of("mail went to 10 addresses of yours just now; try it in ten minutes"),
        reply.getLines());
    subscribe("ada", Role.USER, "a3", NoticeSeverity.HIGH);
    subscribe("bob", Role.USER, "b", NoticeSeverity.HIGH);
    trial.nowMs += 600_000;
    subscribe("ada", Role.USER, "b", NoticeSeverity.HIGH);
    assertEquals(3, subscriptions().size());
    trial.table.scan(CampaignKeys.UNSUBSCRIBED, it -> fail("kept for ever: " + it));
  }

  @Test
  void aClockThatIsSetBackHoldsNoLetterUp() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.HIGH);
    failing(1);
    trial.nowMs += 10_000;
    assertEquals(1, trial.letters().size());
    trial.nowMs -= 900_000;
    failing(1);
    trial.nowMs += 10_000;
    assertEquals(1, trial.letters().size());
  }

  @Test
  void whatFailsReadsTheSubscriptionsOfItsOwnerOnly() {
    List<String> scanned = new ArrayList<>();
    MemoryTable table =
        new MemoryTable() {
          @Override
          public void scan(String prefix, String from, Predicate<SpecificRecord> each) {
            scanned.add(prefix);
            super.scan(prefix, from, each);
          }
        };
    CampaignTrial watched = new CampaignTrial(table);
    watched.seen("c1", 1, 1);
    watched.submit(1, CampaignTrial.cluster("c1", 0));
    scanned.clear();
    watched.tell("1.0.1", JobChange.FINISHED, 3);
    assertTrue(scanned.contains(CampaignKeys.subscriptions("ada")), scanned.toString());
    assertFalse(scanned.contains(CampaignKeys.SUBSCRIPTIONS), scanned.toString());
  }

  @Test
  void whatIsKeptHasABound() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.LOW);
    for (int i = 0; i < 15; i++) {
      trial.seen("c" + i, 1, 1);
      trial.submit(1, CampaignTrial.cluster("c" + i, 0));
      trial.tell(trial.any(), JobChange.FINISHED, 1);
      trial.fix(i + 1, 0, "ada", Role.USER, false);
    }
    trial.nowMs += 10_000;
    NoticeWritten letter = trial.letters().get(0);
    assertEquals(20, letter.getGroups().size());
    assertEquals(10, letter.getMore());
  }

  @Test
  void aSubscriptionIsChangedAndEnded() {
    subscribe("ada", Role.USER, ADA, NoticeSeverity.LOW);
    subscribe("ada", Role.USER, ADA, NoticeSeverity.HIGH);
    assertEquals(1, subscriptions().size());
    assertEquals(NoticeSeverity.HIGH, subscriptions().get(0).getSeverity());
    Reply reply = trial.unsubscribe("bob", ADA);
    assertEquals(15001, reply.getCode());
    assertEquals(List.of("no mail of yours goes to " + ADA), reply.getLines());
    assertEquals(0, trial.unsubscribe("ada", ADA).getCode());
    failing(1);
    trial.nowMs += 10_000;
    assertEquals(List.of(), trial.letters());
  }

  private List<Subscription> subscriptions() {
    List<Subscription> all = new ArrayList<>();
    trial.table.scan(CampaignKeys.SUBSCRIPTIONS, it -> all.add((Subscription) it));
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-f", "a b", "a\nb", "a,b", "a@", "<a>", "|sh", "a@b@c", "a/b"})
  void whatIsNoAddressIsRefused(String address) {
    Reply reply = trial.subscribe("ada", Role.USER, address, NoticeSeverity.LOW);
    assertEquals(15014, reply.getCode());
    assertEquals(List.of("that is no address to which mail goes"), reply.getLines());
    assertEquals(List.of(), subscriptions());
  }

  @Test
  void aUserHasTenAddresses() {
    for (int i = 0; i < 10; i++) {
      subscribe("ada", Role.USER, "a" + i, NoticeSeverity.LOW);
    }
    assertEquals(15014, trial.subscribe("ada", Role.USER, "a10", NoticeSeverity.LOW).getCode());
    subscribe("ada", Role.USER, "a9", NoticeSeverity.HIGH);
  }
}
