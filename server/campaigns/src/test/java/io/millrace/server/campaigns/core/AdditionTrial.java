package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.EventsClosed;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.ScriptMoved;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksAdded;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** What random histories have of tasks that are added to campaigns. */
final class AdditionTrial {

  private AdditionTrial() {}

  /** Now and then adds some tasks, whose lines say their numbers; the command may come twice. */
  static void add(CampaignTrial trial, Random random, long id) {
    if (random.nextBoolean()) {
      return;
    }
    Campaign campaign = (Campaign) trial.table.get(CampaignKeys.campaign(id));
    List<String> lines = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      lines.add("t" + ((campaign == null ? 0 : campaign.getTasks()) + lines.size()));
    }
    AddTasks command = trial.addition(random.nextBoolean() ? "ada" : "eve", id, lines);
    CampaignOutcome outcome = trial.take(command);
    if (random.nextBoolean() && outcome.answer().orElseThrow().getCode() == 0) {
      CampaignOutcome again = trial.take(command);
      assertEquals(outcome.answer(), again.answer());
      assertTrue(again.facts().stream().noneMatch(TasksAdded.class::isInstance), "added once");
    }
  }

  /** What there was of it in some histories. */
  static final class Tally {
    private int additions;
    private int again;
    private int scripts;

    void count(CampaignTrial trial) {
      additions += additions(trial);
      again += again(trial);
      scripts += scripts(trial);
    }

    void check(int histories) {
      assertTrue(additions > histories, additions + " times tasks were added");
      assertTrue(again > histories / 2, again + " of them to campaigns that had ended");
      assertTrue(scripts > histories / 4, scripts + " scripts were done");
    }
  }

  /** A task more for each campaign that takes one though it has ended. */
  static void afterTheEnd(CampaignTrial trial) {
    List<Campaign> all = new ArrayList<>();
    trial.table.scan(CampaignKeys.CAMPAIGNS, it -> all.add((Campaign) it));
    for (Campaign campaign : all) {
      List<String> line = List.of("t" + campaign.getTasks());
      int code = trial.add(campaign.getOwner(), campaign.getId(), line).answer().get().getCode();
      assertEquals(campaign.getCancelled() || campaign.getTest(), code != 0);
    }
  }

  private static int additions(CampaignTrial trial) {
    return (int) trial.ledger.stream().filter(TasksAdded.class::isInstance).count();
  }

  /** How often tasks were added to a campaign that had ended. */
  private static int again(CampaignTrial trial) {
    Set<Long> ended = new HashSet<>();
    int again = 0;
    for (SpecificRecord fact : trial.ledger) {
      if (fact instanceof CampaignEnded it) {
        ended.add(it.getCampaign());
      } else if (fact instanceof TasksAdded it) {
        again += ended.remove(it.getCampaign()) ? 1 : 0;
      }
    }
    return again;
  }

  /** Each script is done once, but where tasks came after an epilogue; gives how many were. */
  private static int scripts(CampaignTrial trial) {
    Set<String> done = new HashSet<>();
    // One that failed may be closed as mended by hand, or as failed for good: it is over, too.
    Map<Long, String> failed = new HashMap<>();
    int all = 0;
    for (SpecificRecord fact : trial.ledger) {
      if (fact instanceof ScriptMoved it && it.getStatus() == TaskStatus.DONE) {
        String place = it.getCampaign() + " " + it.getCluster() + " ";
        assertTrue(done.add(place + it.getAfter()), "each script is done once: " + place);
        all++;
      } else if (fact instanceof EventOpened it
          && it.getEvent().getCode().equals(EventCode.EPILOGUE_ERROR.name())) {
        CampaignEvent event = it.getEvent();
        String cluster = event.getCluster().substring(1);
        failed.put(event.getId(), event.getCampaign() + " " + cluster + " " + true);
      } else if (fact instanceof EventsClosed it && !it.getAgain()) {
        it.getIds().stream().map(failed::get).filter(Objects::nonNull).forEach(done::add);
      } else if (fact instanceof TasksAdded it) {
        for (int cluster = 0; cluster < 2; cluster++) {
          String place = it.getCampaign() + " " + cluster + " ";
          if (done.remove(place + true)) {
            done.remove(place + false);
          }
        }
      }
    }
    return all;
  }

  /** Lines that are known are right, and their blocks are full and counted. */
  static void check(CampaignTrial trial, Campaign campaign) {
    for (ShownTask task : new TaskPage(trial.table).of(campaign.getId(), 0, 1_000)) {
      int number = task.getTask();
      String line = number < campaign.getLinesFrom() ? null : "t" + number;
      String known = number < campaign.getNumbered() ? Integer.toString(number) : line;
      assertEquals(known, task.getParameters(), "line of task " + number + " of " + campaign);
    }
    List<ParameterBlock> blocks = new ArrayList<>();
    trial.table.scan(CampaignKeys.blocks(campaign.getId()), it -> blocks.add((ParameterBlock) it));
    int lines = campaign.getTasks() - campaign.getLinesFrom();
    assertEquals((lines + ParameterBlocks.LINES - 1) / ParameterBlocks.LINES, blocks.size());
    int bytes = blocks.stream().mapToInt(it -> it.getLines().remaining()).sum();
    assertEquals(bytes, campaign.getLineBytes(), "bytes of lines");
  }
}
