package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.e2e.CampaignClustersIT.TaskLines;
import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.TaskStatus;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * All that tells of the tasks of a campaign that has ended.
 *
 * @param statuses of jobs in which a task has succeeded, as an expression
 */
record CampaignAccounts(Site site, Account user, String id, int tasks, String statuses) {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int PAGE = 500;
  private static final Pattern ON_CLUSTER =
      Pattern.compile("    (\\S+):\n(?:      (?!finished).*\n)*      finished_jobs: (\\d+)\n");

  /** Each task has succeeded once, and all accounts say the same of each. */
  void agree(TaskLines lines) throws Exception {
    List<String> done = lines.of("done");
    Set<Integer> numbers = new HashSet<>();
    for (String line : done) {
      assertTrue(numbers.add(Integer.parseInt(line.split(" ")[0])), "twice: " + line);
    }
    assertEquals(tasks, numbers.size());
    List<String> begun = lines.of("begun");
    assertEquals(begun.size(), new HashSet<>(begun).size(), "an attempt that began twice");

    assertEquals(sorted(done, 0, 1, 3), ledger(), "the campaign's ledger");
    Map<String, Long> places =
        new TreeMap<>(
            done.stream()
                .collect(Collectors.groupingBy(it -> it.split(" ")[2], Collectors.counting())));
    String shown = site.run(user, site.folder(), "gridstat -c " + id).must();
    assertTrue(shown.contains("Progress: " + tasks + "/" + tasks + " (100%)"), shown);
    assertEquals(places, finished(shown), shown);
    assertEquals("", site.run(user, site.folder(), "gridevents -c " + id).must());
    overHttp(places);

    Set<String> jobs = done.stream().map(it -> it.split(" ")[3]).collect(Collectors.toSet());
    Site.await(PATIENCE, "accounting has their ends", () -> ended(statuses).containsAll(jobs));
    assertEquals(new TreeSet<>(jobs), ended(statuses), "jobs that did what they were to do");
  }

  /** The own accounting of an outside system has the attempts that began on its cluster. */
  void agreeOn(String cluster, TaskLines lines, Callable<List<OutsideAccount>> asked)
      throws Exception {
    Map<String, String> begun = new TreeMap<>();
    for (String line : lines.on("begun", cluster)) {
      String[] words = line.split(" ");
      // Of those that share a job the first gives it its tag.
      begun.putIfAbsent(number(words[3]), id + "." + words[0] + "." + words[1]);
    }
    Set<String> done = numbers(lines.on("done", cluster));
    String ours = "mr." + cluster + ".";
    Callable<List<OutsideAccount>> told =
        () -> asked.call().stream().filter(it -> it.tag().startsWith(ours)).toList();
    Site.await(
        PATIENCE,
        cluster + " has their ends in its accounting",
        () ->
            told.call().stream()
                .map(OutsideAccounts::jobOf)
                .collect(Collectors.toSet())
                .containsAll(begun.keySet()));
    OutsideAccounts.agree(told.call(), begun, done, numbers(ended("\\S+")), statuses);
  }

  /** Numbers of the jobs of lines. */
  private static Set<String> numbers(List<String> lines) {
    return numbers(lines.stream().map(it -> it.split(" ")[3]).collect(Collectors.toSet()));
  }

  private static Set<String> numbers(Set<String> jobs) {
    return new TreeSet<>(jobs.stream().map(CampaignAccounts::number).toList());
  }

  private static String number(String job) {
    return job.replaceFirst("\\..*", "");
  }

  /** These words of the lines. */
  private static List<String> sorted(List<String> lines, int... which) {
    List<String> chosen = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      List<String> some = new ArrayList<>();
      for (int word : which) {
        some.add(words[word]);
      }
      chosen.add(String.join(" ", some));
    }
    return chosen.stream().sorted().toList();
  }

  /** Task, attempt and job of each success that the campaign server has counted. */
  private List<String> ledger() throws Exception {
    List<String> counted = new ArrayList<>();
    for (Object fact :
        TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.CAMPAIGN_LEDGER)) {
      if (fact instanceof AttemptEnded end
          && end.getCampaign() == Long.parseLong(id)
          && end.getStatus() == TaskStatus.DONE) {
        counted.add(end.getTask() + " " + end.getAttempt() + " " + end.getJobId());
      }
    }
    return counted.stream().sorted().toList();
  }

  /** Tasks that are done by cluster, as gridstat has them. */
  private static Map<String, Long> finished(String shown) {
    Map<String, Long> finished = new TreeMap<>();
    Matcher cluster = ON_CLUSTER.matcher(shown);
    while (cluster.find()) {
      if (!cluster.group(2).equals("0")) {
        finished.put(cluster.group(1), Long.parseLong(cluster.group(2)));
      }
    }
    return finished;
  }

  private void overHttp(Map<String, Long> places) throws Exception {
    WebCaller web = new WebCaller(Files.readString(site.home().ready("web")).strip());
    String token = site.launcher("token create", "--user " + user.name()).must().strip();
    String one = "/cigri/campaigns/" + id;
    JsonNode campaign = web.get(one, "Bearer " + token).must(200).body();
    assertEquals("terminated", campaign.path("state").asText());
    assertEquals(tasks, campaign.path("finished_jobs").asInt());
    Map<String, Long> finished = new TreeMap<>();
    campaign
        .path("clusters")
        .forEach(it -> finished.put(it.path("cluster_name").asText(), finishedOn(it)));
    finished.values().removeIf(it -> it == 0);
    assertEquals(places, finished);
    int over = 0;
    for (int offset = 0; offset < tasks; offset += PAGE) {
      String page = one + "/jobs?limit=" + PAGE + "&offset=" + offset;
      for (JsonNode job : web.get(page, "Bearer " + token).must(200).body().path("items")) {
        over += job.path("state").asText().equals("terminated") ? 1 : 0;
      }
    }
    assertEquals(tasks, over, "terminated, over HTTP");
  }

  private static long finishedOn(JsonNode cluster) {
    return cluster.path("finished_jobs").asLong();
  }

  /** Jobs of tasks that ended with such a status, by Millrace's accounting. */
  private Set<String> ended(String statuses) {
    String name = ".* jobname=cigri-" + id + "-\\d+ .* Exit_status=";
    Pattern end = Pattern.compile(".*;E;([^;]+);" + name + statuses + "( .*)?");
    Set<String> jobs = new TreeSet<>();
    for (String line : AccountLines.all(site.home().accounting())) {
      Matcher found = end.matcher(line);
      if (found.matches()) {
        assertTrue(jobs.add(found.group(1)), line);
      }
    }
    return jobs;
  }
}
