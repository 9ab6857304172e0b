package io.millrace.ops.bench.campaigns;

import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.installation.HomeClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Campaigns of a user, submitted from the shell, and how far they are. */
final class CampaignCalls {

  private static final int PATIENCE_S = 240;
  private static final int LOOK_MS = 25;

  /** To look at very many takes the server's time. */
  private static final int LIST_LOOK_MS = 250;

  private static final double NS_PER_MS = 1e6;
  private static final Pattern ID = Pattern.compile("CAMPAIGN_ID=([0-9]+)");
  private static final Pattern GOES_ON = Pattern.compile("(?m) R[e ] [0-9]+/[0-9]+ ");
  private static final Pattern PROGRESS = Pattern.compile("Progress: ([0-9]+)/");

  private final BenchSite site;
  private final HomeClient client;
  private final Path folder;

  CampaignCalls(BenchSite site, CampaignOwner owner) throws IOException {
    this.site = site;
    this.client = site.client().as(owner.become());
    this.folder = site.folder("campaigns");
    owner.give(site.folder("tasks"));
  }

  /**
   * Submits a campaign.
   *
   * @param tasks the field of its description that says which tasks it has
   * @return its number
   */
  String submit(List<String> clusters, String program, String tasks)
      throws IOException, InterruptedException {
    String description =
        "{\"name\": \"bench\", \"exec_file\": \""
            + program
            + "\", \"exec_directory\": \""
            + site.folder("tasks")
            + "\", "
            + tasks
            + ", \"clusters\": {\""
            + String.join("\": {}, \"", clusters)
            + "\": {}}}";
    String said = client.ask(folder, "gridsub", description).out();
    Matcher id = ID.matcher(said);
    if (!id.find()) {
      throw new IOException("gridsub told no number: " + said);
    }
    return id.group(1);
  }

  /** How long a call of a command takes, ms. */
  double callMs(String... words) throws IOException, InterruptedException {
    String[] arguments = List.of(words).subList(1, words.length).toArray(String[]::new);
    long begin = System.nanoTime();
    client.ask(folder, words[0], arguments);
    return (System.nanoTime() - begin) / NS_PER_MS;
  }

  private String shown(String id) throws IOException, InterruptedException {
    return site.command(site.home().root(), "gridstat", List.of("-c", id));
  }

  /** Tasks of a campaign that are done. */
  int done(String id) throws IOException, InterruptedException {
    Matcher done = PROGRESS.matcher(shown(id));
    return done.find() ? Integer.parseInt(done.group(1)) : 0;
  }

  /** Waits until a campaign is over. */
  void awaitOver(String id) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (!shown(id).contains("State: terminated")) {
      look(id, deadline);
    }
  }

  /** Waits until all campaigns are over. */
  void awaitAllOver() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (goesOn(site.command(site.home().root(), "gridstat", List.of("-H")))) {
      if (System.nanoTime() > deadline) {
        throw new IOException("some campaigns are not over within " + PATIENCE_S + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LIST_LOOK_MS);
    }
  }

  /** Whether a campaign goes on of a list of them. */
  static boolean goesOn(String list) {
    return GOES_ON.matcher(list).find();
  }

  /** Waits until more tasks are done. */
  void awaitMore(String id, int before) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (done(id) <= before) {
      look(id, deadline);
    }
  }

  private void look(String id, long deadline) throws IOException, InterruptedException {
    if (System.nanoTime() > deadline) {
      throw new IOException("nothing comes of it within " + PATIENCE_S + " s: " + shown(id));
    }
    TimeUnit.MILLISECONDS.sleep(LOOK_MS);
  }
}
