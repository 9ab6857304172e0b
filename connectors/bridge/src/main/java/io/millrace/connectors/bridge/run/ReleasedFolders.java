package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders of runs that are known no more. They are removed days later: until then each keeps the
 * claim of its run, so that a copy that comes late begins nothing, and what a run could not bring
 * to its place. A file for each day has the runs that were released on it, one a line.
 */
final class ReleasedFolders {
  private static final Logger log = LoggerFactory.getLogger(ReleasedFolders.class);

  private static final Duration PAUSE = Duration.ofMinutes(10);

  /** Folders that one command removes. */
  private static final int AT_ONCE = 64;

  /** Folders of an account that one command removes. */
  private record FolderBatch(String account, List<OutsideTag> tags) {}

  /** A mark that jobs of an account have. */
  private record ShownMark(String account, OutsideTag tag) {

    /** The same of an array of a job, whichever of its submissions it is. */
    ShownMark ofArray(String job) {
      return new ShownMark(account, new OutsideTag(tag.cluster(), job, 0).of(tag.home()));
    }
  }

  private final BridgeParts parts;
  private final CircuitBreaker breaker;
  private final Path days;

  /** What of the day that is being cleared is left to do. */
  private final Deque<FolderBatch> due = new ArrayDeque<>();

  /** Lines of that day whose folders could not be removed. */
  private final List<String> failed = new ArrayList<>();

  /** Runs that are noted and not yet forgotten. */
  private final Set<OutsideTag> noted = new HashSet<>();

  private Optional<Path> day = Optional.empty();
  private Instant looked = Instant.MIN;

  /** Why folders could not be removed last; empty when they could. */
  private String trouble = "";

  ReleasedFolders(BridgeParts parts, CircuitBreaker breaker) {
    this.parts = parts;
    this.breaker = breaker;
    this.days = parts.journal().folder().resolve("released");
  }

  /** A run is to be known no more; that the journal forgets it may take more than one trial. */
  void add(OutsideRun run) throws IOException {
    if (!noted.contains(run.tag())) {
      Files.createDirectories(days);
      note(run.account(), run.tag());
      noted.add(run.tag());
    }
  }

  /** It is known no more. */
  void isNoted(OutsideTag tag) {
    noted.remove(tag);
  }

  private void note(String account, OutsideTag tag) throws IOException {
    // The first: of the line before it a full disk may have taken a part.
    Files.writeString(
        days.resolve(today().toString()),
        "\n" + account + " " + tag + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private LocalDate today() {
    return parts.clock().instant().atZone(ZoneOffset.UTC).toLocalDate();
  }

  /** Removes some of those whose time it is, by one command at most. */
  void removeDue() throws IOException, InterruptedException {
    Instant now = parts.clock().instant();
    boolean rests =
        !looked.equals(Instant.MIN) && !now.isBefore(looked) && now.isBefore(looked.plus(PAUSE));
    if (breaker.isOpen() || due.isEmpty() && rests) {
      return;
    }
    if (due.isEmpty()) {
      looked = now;
      begin();
    }
    FolderBatch batch = due.peek();
    if (batch == null) {
      return;
    }
    Told<Boolean> told = parts.folders().remove(batch.tags(), batch.account());
    if (told instanceof Told.Nothing<Boolean> nothing) {
      if (!nothing.why().equals(trouble)) {
        log.warn("folders of runs that are over stay where they are: {}", nothing.why());
      }
      trouble = nothing.why();
      // Others may have more luck; these are tried again with the day.
      batch.tags().forEach(it -> failed.add(batch.account() + " " + it));
    } else {
      trouble = "";
    }
    due.remove();
    if (due.isEmpty()) {
      end();
    }
  }

  /** Takes up the oldest day whose time has come, where none of its runs is left outside. */
  private void begin() throws IOException, InterruptedException {
    day = oldest();
    if (day.isEmpty()) {
      return;
    }
    Told<List<OutsideJob>> told = parts.system().tagged();
    if (!(told instanceof Told.Answered<List<OutsideJob>> answer)) {
      return;
    }
    Set<ShownMark> there = new HashSet<>();
    for (OutsideJob job : answer.value()) {
      if (job.tag().isPresent()) {
        ShownMark mark = new ShownMark(job.account(), job.tag().get());
        there.add(mark);
        there.add(mark.ofArray(mark.tag().job()));
      }
    }
    Map<String, List<OutsideTag>> all = new LinkedHashMap<>();
    for (String line : Files.readAllLines(day.get(), StandardCharsets.US_ASCII)) {
      String[] words = line.split(" ");
      Optional<OutsideTag> tag = words.length == 2 ? OutsideTag.read(words[1]) : Optional.empty();
      if (tag.isPresent() && isShown(words[0], tag.get(), there)) {
        // A copy of it would find no claim.
        note(words[0], tag.get());
      } else if (tag.isPresent() && parts.journal().run(tag.get()).isEmpty()) {
        all.computeIfAbsent(words[0], it -> new ArrayList<>()).add(tag.get());
      }
    }
    all.forEach(
        (account, tags) -> {
          for (int i = 0; i < tags.size(); i += AT_ONCE) {
            due.add(new FolderBatch(account, tags.subList(i, Math.min(tags.size(), i + AT_ONCE))));
          }
        });
    if (due.isEmpty()) {
      end();
    }
  }

  /**
   * Whether a job of the account can begin the script of a run: by the mark of the run, or as an
   * array of its job. An array that was taken for lost has another mark than the one with which its
   * runs went again, and each of its tasks may be any of them.
   */
  private static boolean isShown(String account, OutsideTag tag, Set<ShownMark> there) {
    ShownMark run = new ShownMark(account, tag);
    int index = tag.job().indexOf('-');
    return there.contains(run)
        || index >= 0 && there.contains(run.ofArray(tag.job().substring(0, index)));
  }

  private void end() throws IOException {
    if (failed.isEmpty()) {
      Files.deleteIfExists(day.orElseThrow());
      looked = Instant.MIN;
    } else {
      Files.write(day.orElseThrow(), failed);
    }
    failed.clear();
    day = Optional.empty();
  }

  private Optional<Path> oldest() throws IOException {
    if (!Files.isDirectory(days)) {
      return Optional.empty();
    }
    String last = today().minusDays(parts.folders().keptDays()).toString();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(days, "????-??-??")) {
      Optional<Path> oldest = Optional.empty();
      for (Path each : all) {
        String name = each.getFileName().toString();
        if (name.compareTo(last) < 0
            && oldest.filter(it -> it.getFileName().toString().compareTo(name) <= 0).isEmpty()) {
          oldest = Optional.of(each);
        }
      }
      return oldest;
    }
  }
}
