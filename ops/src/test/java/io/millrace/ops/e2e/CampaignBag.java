package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A campaign whose tasks write down what they are when they begin and when they end.
 *
 * @param work where they write
 * @param id of the campaign
 */
record CampaignBag(Site site, Account user, Path work, String queue, int tasks, String id) {

  static final Duration PATIENCE = Duration.ofSeconds(400);

  private static final String SCRIPT =
      """
      #!/bin/sh
      echo $1 $MILLRACE_ATTEMPT >>begun
      sleep SECONDS
      echo $1 $MILLRACE_ATTEMPT >>done
      """;

  /**
   * @param seconds that each task takes
   */
  static CampaignBag submitted(Site site, Account user, String queue, int tasks, String seconds)
      throws Exception {
    Path work = site.folderOf(user, "work");
    Path script = Files.writeString(work.resolve("task.sh"), SCRIPT.replace("SECONDS", seconds));
    assertTrue(script.toFile().setExecutable(true, false));
    user.own(site.folder(), script);
    CampaignBag bag = new CampaignBag(site, user, work, queue, tasks, "");
    String id = bag.submit(tasks, script).must().replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
    return new CampaignBag(site, user, work, queue, tasks, id);
  }

  private Shell.Answer submit(int count, Path program) throws IOException, InterruptedException {
    String document =
        "{\"name\": \"bag\", \"nb_jobs\": %d, \"walltime\": \"0:10:0\"".formatted(count)
            + ", \"exec_file\": \"%s\"".formatted(program)
            + ", \"exec_directory\": \"%s\", \"clusters\": {\"%s\": {}}}".formatted(work, queue);
    return site.run(user, work, Site.SOON_REFUSED + "gridsub '" + document + "'");
  }

  private String shown() throws IOException, InterruptedException {
    return site.run(user, work, "gridstat -c " + id).out();
  }

  int done() throws IOException {
    return lines("done").size();
  }

  void awaitDone(int count) throws IOException, InterruptedException {
    Site.await(PATIENCE, count + " are done", () -> done() >= count);
  }

  void assertGoesOn() throws IOException, InterruptedException {
    assertFalse(shown().contains("State: terminated"), "it was over before");
  }

  /** No campaign is taken any more, which is said in these words. */
  void isRefused(String words) throws Exception {
    Site.await(PATIENCE, "gridsub is refused", () -> refused().contains(words));
    assertGoesOn();
  }

  private String refused() throws IOException, InterruptedException {
    // It may be carried out later all the same, which it says then.
    Shell.Answer answer = submit(1, Path.of("/bin/true"));
    if (answer.status() == 0) {
      return "-";
    }
    System.out.println("e2e: " + answer.err().strip());
    assertTrue(answer.err().startsWith("gridsub: "), answer.toString());
    return answer.err();
  }

  /** Waits until it is over: each task was counted once, and was done. */
  void awaitEachOnce() throws Exception {
    Site.await(PATIENCE, "it is over", () -> shown().contains("State: terminated"));
    List<Integer> counted = new ArrayList<>();
    Set<String> attempts = new HashSet<>();
    for (Object fact :
        TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.CAMPAIGN_LEDGER)) {
      if (fact instanceof AttemptEnded end
          && end.getCampaign() == Long.parseLong(id)
          && end.getStatus() == TaskStatus.DONE) {
        counted.add(end.getTask());
        attempts.add(end.getTask() + " " + end.getAttempt());
      }
    }
    List<Integer> all = IntStream.range(0, tasks).boxed().toList();
    assertEquals(all, counted.stream().sorted().toList(), "each counted once");
    Site.await(
        PATIENCE,
        "what is counted was done",
        () -> Set.copyOf(lines("done")).containsAll(attempts));
    List<String> begun = lines("begun");
    assertEquals(begun.size(), new HashSet<>(begun).size(), "an attempt that began twice");
    assertTrue(shown().contains("Progress: " + tasks + "/" + tasks + " (100%)"), shown());
  }

  private List<String> lines(String name) throws IOException {
    Path file = work.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
