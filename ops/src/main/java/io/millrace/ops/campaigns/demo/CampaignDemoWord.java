package io.millrace.ops.campaigns.demo;

import io.millrace.ops.campaigns.BestEffortSite;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.installation.Installation;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.KillOnExit;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code ./millrace campaign-demo}. */
public final class CampaignDemoWord implements Word {

  private static final int TASKS = 2_000;
  private static final int TASKS_MAX = 100_000;

  @Override
  public String name() {
    return "campaign-demo";
  }

  @Override
  public String summary() {
    return "a campaign computes a picture in the gaps of local jobs";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    GivenOptions options =
        ProgramOptions.ofWord(
                name(),
                "Runs a campaign of many scripts that compute a picture while local jobs come and"
                    + " go, in an installation of its own.")
            .value("--tasks", "N", "tasks, each a tile of the picture (default " + TASKS + ")")
            .value(CampaignOwner.OPTION, "NAME", "whose the campaign is; root has none")
            .value("--folder", "DIR", "new or empty folder (default one below the temporary files)")
            .flag("--keep", "the home and the tiles stay beside the picture")
            .parse(arguments);
    int tasks = options.number("--tasks", TASKS, 1, TASKS_MAX);
    CampaignOwner owner = owner(options);
    Optional<Path> given = options.get("--folder").map(Path::of);
    if (given.isPresent() && !FolderTree.isFree(given.get())) {
      throw new IOException(given.get() + " is not empty: campaign-demo wants a new folder");
    }
    Path folder =
        CampaignDemo.open(
            given.isPresent()
                ? given.get().toAbsolutePath()
                : Files.createTempDirectory("millrace-campaign-"));
    TileGrid grid = TileGrid.of(folder.resolve("tiles"), tasks);
    Home home = new Home(folder.resolve("home"));
    Installation installation = Installation.up(home, BestEffortSite.upArguments(), console);
    int status;
    try (KillOnExit end = new KillOnExit("campaign-demo", installation::killAll)) {
      status = new CampaignDemo(home, owner, grid, console).run(folder.resolve("picture.png"));
    }
    if (status == 0 && !options.has("--keep")) {
      for (String part : installation.parts()) {
        installation.awaitEnd(part);
      }
      FolderTree.delete(home.root());
      FolderTree.delete(grid.folder());
      Files.delete(grid.script());
    } else {
      console.say("what there was is in " + folder);
    }
    return status;
  }

  private static CampaignOwner owner(GivenOptions options) throws IOException, UsageException {
    try {
      return CampaignOwner.of(options.get(CampaignOwner.OPTION));
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }
}
