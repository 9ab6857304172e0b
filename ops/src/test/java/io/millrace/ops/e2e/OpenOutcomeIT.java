package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Parts are killed while jobs are submitted: what each qsub says, its exit status and the jobs that
 * there are agree. A client says that it submitted, that it did not, or that it cannot know.
 */
@Order(2)
@Shared(user = "mropen")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenOutcomeIT {
  private static final Duration SOON = Duration.ofSeconds(180);

  private static final int CLIENTS = 3;
  private static final int NIGHT_SUBMISSIONS = 1000;
  private static final int OPEN = 110;
  private static final Pattern ID = Pattern.compile("qsub --command-id ([0-9a-f-]{36}) ");
  private static final List<String> LEAST =
      List.of("broker", "server", "gateway", "web", "campaigns", "accounting", "executor");

  private final AtomicInteger names = new AtomicInteger();
  private final Map<String, Shell.Answer> said = new ConcurrentHashMap<>();
  private Site site;
  private Account user;
  private Path work;

  @BeforeAll
  void user(Site shared, Account account) throws Exception {
    site = shared;
    user = account;
    work = site.folderOf(user, "work");
  }

  private Shell.Answer submit(String options, String name) throws Exception {
    String line = "qsub " + options + " -N " + name + " -o /dev/null -j oe -- /bin/true";
    return site.run(user, work, Site.SOON_REFUSED + line);
  }

  private void submitUntil(AtomicBoolean over) throws Exception {
    while (!over.get()) {
      String name = "o" + names.incrementAndGet();
      said.put(name, submit("", name));
    }
  }

  /** What happens while clients submit one job after the other. */
  private interface Meanwhile {
    void happen() throws Exception;
  }

  private void whileSubmitting(Meanwhile what) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        all.add(
            clients.submit(
                () -> {
                  submitUntil(over);
                  return null;
                }));
      }
      what.happen();
      over.set(true);
      for (Future<?> each : all) {
        each.get(SOON.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      over.set(true);
      clients.shutdownNow();
    }
  }

  private Map<String, List<String>> jobsByName() throws Exception {
    Map<String, List<String>> jobs = new TreeMap<>();
    for (Map.Entry<String, JsonNode> job : site.jobs().entrySet()) {
      jobs.computeIfAbsent(job.getValue().path("Job_Name").asText(), name -> new ArrayList<>())
          .add(job.getKey());
    }
    return jobs;
  }

  /** How many qsubs said what: {submitted, not submitted, open}. */
  private int[] allAgree() throws Exception {
    int[] counts = new int[3];
    for (Map.Entry<String, Shell.Answer> each : said.entrySet()) {
      if (each.getValue().status() == OPEN) {
        Matcher id = ID.matcher(each.getValue().err());
        assertTrue(id.find(), each.getValue().toString());
        submit("--command-id " + id.group(1), each.getKey()).must();
        submit("--command-id " + id.group(1), each.getKey()).must();
      }
    }
    Map<String, List<String>> jobs = jobsByName();
    for (Map.Entry<String, Shell.Answer> each : said.entrySet()) {
      Shell.Answer answer = each.getValue();
      List<String> its = jobs.getOrDefault(each.getKey(), List.of());
      String text = each.getKey() + " is " + its + "\n" + answer;
      assertTrue(answer.tookMs() < 45_000, text);
      if (answer.status() == 0) {
        counts[0]++;
        assertEquals(List.of(answer.out().strip()), its, text);
      } else if (answer.status() == OPEN) {
        counts[2]++;
        assertTrue(answer.err().contains("; it may still be carried out; repeated as "), text);
        assertEquals(1, its.size(), text);
      } else {
        counts[1]++;
        assertTrue(answer.err().contains("not submitted"), text);
        assertEquals(List.of(), its, text);
      }
    }
    System.out.println(
        "e2e: " + counts[0] + " submitted, " + counts[1] + " not, " + counts[2] + " open");
    said.clear();
    return counts;
  }

  /** All parts of the installation, one after the other. */
  private List<String> parts() throws Exception {
    Set<String> parts = new TreeSet<>(site.processes().keySet());
    assertTrue(parts.containsAll(LEAST), parts.toString());
    return List.copyOf(parts);
  }

  private void kill(String part) throws Exception {
    Site.kill(List.of(site.processes().get(part)));
  }

  private void serves() throws Exception {
    site.up("").must();
    submit("", "served").must();
  }

  @Test
  @Tag("night")
  void afterAKillOfAnyPartEveryAnswerIsTrue() throws Exception {
    List<String> parts = parts();
    whileSubmitting(
        () -> {
          for (String part : parts) {
            int before = names.get();
            Site.await(SOON, "some are submitted", () -> names.get() > before + 2 * CLIENTS);
            kill(part);
            serves();
          }
        });
    assertTrue(allAgree()[0] > 0);
  }

  @Test
  void withoutAServerItIsSaidThatNobodyKnowsAndARepeatedOneIsDoneOnce() throws Exception {
    kill("server");
    Shell.Answer answer = submit("", "noserver");
    said.put("noserver", answer);
    assertEquals(OPEN, answer.status(), answer.toString());
    assertTrue(answer.tookMs() < 25_000, answer.toString());
    assertTrue(answer.err().startsWith("qsub: waiting for the server: no answer from shard "));
    assertEquals(2, answer.err().lines().count(), answer.toString());
    serves();
    assertEquals(1, allAgree()[2]);
  }

  @Test
  @Tag("night")
  void withoutABrokerItIsSaidThatNothingWasSubmitted() throws Exception {
    kill("broker");
    // Whoever submits before the gateway has noticed may have sent something.
    said.put("nobroker", submit("", "nobroker"));
    assertFalse(said.get("nobroker").status() == 0, said.toString());
    List<Future<?>> all = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
      String name = "nobroker" + i;
      all.add(clients.submit(() -> said.put(name, submit("", name))));
    }
    for (Future<?> each : all) {
      each.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }
    clients.shutdown();
    for (Shell.Answer answer : said.values()) {
      assertFalse(answer.status() == 0, answer.toString());
    }
    serves();
    String before = said.toString();
    int sure = allAgree()[1];
    assertTrue(sure >= CLIENTS, sure + " of " + before);
  }

  @Test
  @Tag("night")
  void underKillsOfAllPartsAThousandAnswersAreTrue() throws Exception {
    List<String> parts = parts();
    int until = names.get() + NIGHT_SUBMISSIONS;
    whileSubmitting(
        () -> {
          for (int i = 0; names.get() < until; i++) {
            int before = names.get();
            Site.await(SOON, "some are submitted", () -> names.get() > before + 10 * CLIENTS);
            kill(parts.get(i % parts.size()));
            serves();
          }
        });
    assertTrue(allAgree()[0] > NIGHT_SUBMISSIONS / 2);
  }
}
