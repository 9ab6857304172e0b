package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.schemas.output.ObservedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The jobs of one cluster, as far as they are shown. Numbers are used again by the cluster. */
final class ObservedJobs {

  static final String OVER = "F";

  /** How long accounting is read after the queue has lost a job, before nobody knows its end. */
  static final Duration GRACE = Duration.ofSeconds(30);

  /** How old a line may be that alone shows a job. */
  static final Duration FRESH = Duration.ofSeconds(60);

  /** How long a job is shown after its end. */
  static final Duration HISTORY = Duration.ofHours(1);

  /** So many are shown; the oldest of those that are over give way. */
  static final int MOST = 100_000;

  private static final int TEXT_MOST = 255;

  private final String cluster;
  private final boolean accounted;
  private final Map<OutsideId, ObservedJob> jobs = new TreeMap<>();

  /** Those that stand for tasks which have not begun, as the queue has shown last. */
  private final Set<OutsideId> arrays = new HashSet<>();

  /** Processors by host of those jobs of which place and slots do not say them. */
  private final Map<OutsideId, Map<String, Long>> spread = new HashMap<>();

  /** Since when the queue does not show a job any more. */
  private final Map<OutsideId, Instant> missing = new HashMap<>();

  /** Records that the queue has not agreed to yet. */
  private final Map<OutsideId, OutsideRecord> doubtful = new HashMap<>();

  /** When lines of a log were read that tell of a job, as far as no later question has answered. */
  private final Map<OutsideId, Instant> logged = new HashMap<>();

  private final Set<OutsideId> changed = new LinkedHashSet<>();
  private boolean tooMany;

  /**
   * @param accounted whether ends leave records
   */
  ObservedJobs(String cluster, boolean accounted) {
    this.cluster = cluster;
    this.accounted = accounted;
  }

  /** A job that was shown before. */
  void remember(ObservedJob job) {
    id(job.getId()).ifPresent(it -> jobs.put(it, job));
  }

  private static Optional<OutsideId> id(String text) {
    String[] parts = text.split("\\.", 2);
    boolean good = text.matches("[0-9]{1,18}(\\.[0-9]{1,18})?");
    return good
        ? Optional.of(
            new OutsideId(
                Long.parseLong(parts[0]), parts.length > 1 ? Long.parseLong(parts[1]) : 0))
        : Optional.empty();
  }

  /** Whether the cluster has more jobs than are shown. */
  boolean tooMany() {
    return tooMany;
  }

  /** Tells each of the jobs that are there, and each of its hosts, how many processors it has. */
  void held(BiConsumer<String, Long> reader) {
    jobs.forEach(
        (id, job) -> {
          if (job.getState().equals("R") || job.getState().equals("E")) {
            Map<String, Long> known = spread.get(id);
            (known == null ? parts(job.getPlace(), job.getSlots()) : known).forEach(reader);
          }
        });
  }

  private static Map<String, Long> parts(String place, long slots) {
    return OutsideHolding.ncpus(OutsideHolding.parts(place, slots));
  }

  /** Jobs of which a record says that they are over, and the queue not yet. */
  Set<OutsideId> doubts() {
    Set<OutsideId> doubts = new HashSet<>();
    for (OutsideId id : doubtful.keySet()) {
      ObservedJob job = jobs.get(id);
      if (job != null && !isOver(job)) {
        doubts.add(id);
      }
    }
    return doubts;
  }

  /**
   * The whole queue. A line that was read after the question had begun says more of its job: the
   * answer may be of before it was submitted.
   *
   * @param asked when the question for it began
   */
  void queue(List<OutsideJob> queue, Instant asked) {
    Set<OutsideId> seen = new HashSet<>();
    Set<Long> numbers = new HashSet<>();
    tooMany = false;
    arrays.clear();
    logged.values().removeIf(it -> !it.isAfter(asked));
    for (OutsideJob job : queue) {
      seen.add(job.id());
      numbers.add(job.id().number());
      if (!logged.containsKey(job.id())) {
        seen(job, asked);
      }
      if (!job.tasks().isEmpty() && jobs.containsKey(job.id())) {
        arrays.add(job.id());
      }
    }
    for (OutsideId id : List.copyOf(jobs.keySet())) {
      ObservedJob job = jobs.get(id);
      if (seen.contains(id)) {
        missing.remove(id);
      } else if (!isOver(job) && !logged.containsKey(id)) {
        lost(id, asked, numbers.contains(id.number()));
      }
    }
    doubtful.keySet().removeIf(id -> !jobs.containsKey(id) && !seen.contains(id));
  }

  private void seen(OutsideJob job, Instant asked) {
    ObservedJob before = jobs.get(job.id());
    if (before != null && isOver(before) && isSame(before, job)) {
      // The queue shows it for a moment longer than accounting.
      return;
    }
    if (before == null && jobs.size() >= MOST) {
      tooMany = true;
      return;
    }
    put(job.id(), shown(job, asked));
    Map<String, Long> ncpus = OutsideHolding.ncpus(job.holdings());
    if (ncpus.isEmpty() || ncpus.equals(parts(job.place(), job.slots()))) {
      spread.remove(job.id());
    } else {
      spread.put(job.id(), ncpus);
    }
  }

  /** Whether it is the same job, and not a later one with its number. */
  private static boolean isSame(ObservedJob before, OutsideJob job) {
    long submitted = job.submitted().map(Instant::toEpochMilli).orElse(0L);
    boolean known = before.getSubmittedMs() != 0 && submitted != 0;
    // Running jobs of a Grid Engine show when they began, not when they were submitted.
    return known ? submitted <= before.getEndedMs() : before.getAccount().equals(job.account());
  }

  private ObservedJob shown(OutsideJob job, Instant asked) {
    ObservedJob before = jobs.get(job.id());
    boolean same = before != null && !isOver(before);
    long submitted = job.submitted().map(Instant::toEpochMilli).orElse(0L);
    ObservedJob.Builder made =
        ObservedJob.newBuilder()
            .setCluster(cluster)
            .setId(job.id().toString())
            .setName(plain(job.name()))
            .setAccount(plain(job.account()))
            .setState(letter(job.state()))
            .setWord(plain(job.word()))
            .setPlace(plain(job.place()))
            .setSlots(job.slots())
            .setSubmittedMs(
                same && before.getSubmittedMs() != 0 ? before.getSubmittedMs() : submitted);
    if (job.end().isPresent() || job.state() == OutsideState.ENDED) {
      long ended = same || before == null ? asked.toEpochMilli() : before.getEndedMs();
      ends(made, job.end(), ended);
    }
    return made.build();
  }

  /** Words of others end on terminals: nothing in them may be more than a letter. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .limit(TEXT_MOST)
        .map(it -> Character.isISOControl(it) ? '?' : it)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }

  private static void ends(ObservedJob.Builder job, Optional<OutsideEnd> end, long endedMs) {
    job.setState(OVER).setEndedMs(endedMs);
    end.filter(it -> it.status() >= 0).ifPresent(it -> job.setExitStatus(it.status()));
    end.filter(it -> it.signal() > 0).ifPresent(it -> job.setExitStatus(256 + it.signal()));
    job.setEnd(end.map(it -> plain(it.cause() + ": " + it.words())).orElse("nobody knows how"));
    end.flatMap(OutsideEnd::usage).map(OutsideUsage::cputMs).ifPresent(job::setCputMs);
  }

  static String letter(OutsideState state) {
    return switch (state) {
      case WAITING -> "Q";
      case HELD -> "H";
      case RUNNING -> "R";
      case SUSPENDED -> "S";
      case ENDING -> "E";
      case ENDED -> OVER;
    };
  }

  private void lost(OutsideId id, Instant asked, boolean tasksThere) {
    OutsideRecord record = doubtful.remove(id);
    if (record != null) {
      over(id, Optional.of(record.end()), asked);
    } else if (id.task() == 0 && tasksThere) {
      // An array all of whose tasks have begun is shown by its tasks alone.
      drop(id);
    } else {
      missing.putIfAbsent(id, asked);
    }
  }

  private void over(OutsideId id, Optional<OutsideEnd> end, Instant when) {
    ObservedJob.Builder made = ObservedJob.newBuilder(jobs.get(id));
    ends(made, end, when.toEpochMilli());
    put(id, made.build());
    missing.remove(id);
  }

  /** What logs and accounting have said. */
  void changes(List<OutsideRecord> records, List<OutsideMove> moves, Instant now) {
    for (OutsideMove move : moves) {
      ObservedJob job = jobs.get(move.id());
      if (move.account().isEmpty() && isOfOtherNumber(move.id())) {
        continue;
      }
      if (move.name().isPresent()) {
        made(move, job);
      } else if (job != null && !isOver(job) && isOf(job, move)) {
        put(move.id(), ObservedJob.newBuilder(job).setState(letter(move.state())).build());
      } else if (move.state() == OutsideState.RUNNING && isFresh(move, job, now)) {
        begun(move);
      }
      if (!Objects.equals(job, jobs.get(move.id()))) {
        logged.put(move.id(), now);
      }
    }
    for (OutsideRecord record : records) {
      ObservedJob job = jobs.get(record.id());
      if (job == null || isOver(job) || !isOf(job, record)) {
        continue;
      }
      if (record.certain()) {
        over(record.id(), Optional.of(record.end()), now);
      } else {
        doubtful.put(record.id(), record);
      }
    }
  }

  /**
   * Whether a job that is not shown has begun just now. What lines of long ago tell of, as to a
   * process that was away, the queue and accounting know better.
   */
  private boolean isFresh(OutsideMove move, ObservedJob before, Instant now) {
    boolean later = before == null || isOver(before) && before.getEndedMs() < ms(move.at());
    return later && jobs.size() < MOST && move.at().isAfter(now.minus(FRESH));
  }

  private static long ms(Instant at) {
    return at.toEpochMilli();
  }

  /**
   * A line that says no more than a number says the same of a job and of the first task of an
   * array: which of them it is, is known of arrays that the queue has shown.
   */
  private boolean isOfOtherNumber(OutsideId id) {
    boolean ofArray = arrays.contains(OutsideId.of(id.number()));
    return ofArray ? id.task() == 0 : id.task() == 1 && !jobs.containsKey(id);
  }

  /** The queue has its name and place, and whose it is; of a task the array is shown already. */
  private void begun(OutsideMove move) {
    spread.remove(move.id());
    ObservedJob array = jobs.get(OutsideId.of(move.id().number()));
    boolean ofArray = move.id().task() > 0 && array != null;
    String account = move.account().isEmpty() && ofArray ? array.getAccount() : move.account();
    boolean known = ofArray && array.getAccount().equals(account);
    put(
        move.id(),
        ObservedJob.newBuilder()
            .setCluster(cluster)
            .setId(move.id().toString())
            .setName(known ? array.getName() : "")
            .setAccount(plain(account))
            .setState(letter(move.state()))
            .setWord("")
            .setPlace("")
            .setSlots(0)
            .setSubmittedMs(known ? array.getSubmittedMs() : 0)
            .build());
  }

  /** Of one whose begin alone was told, the record says whose it was. */
  private boolean isOf(ObservedJob job, OutsideRecord record) {
    if (job.getAccount().isEmpty()) {
      put(record.id(), ObservedJob.newBuilder(job).setAccount(plain(record.account())).build());
      return true;
    }
    return job.getAccount().equals(record.account());
  }

  /** Whether it is about that job, and not an earlier one that had its number. */
  private static boolean isOf(ObservedJob job, OutsideMove move) {
    // Lines have whole seconds.
    long latestMs = move.at().plusSeconds(1).toEpochMilli();
    boolean others = !move.account().isEmpty() && !move.account().equals(job.getAccount());
    return !others && latestMs > job.getSubmittedMs();
  }

  /** A job that is new, unless it is shown already; its number may have been another one's. */
  private void made(OutsideMove move, ObservedJob before) {
    long madeMs = move.at().toEpochMilli();
    boolean again = before != null && isOver(before) && before.getEndedMs() < madeMs;
    if (before == null ? jobs.size() < MOST : again) {
      spread.remove(move.id());
      put(
          move.id(),
          ObservedJob.newBuilder()
              .setCluster(cluster)
              .setId(move.id().toString())
              .setName(plain(move.name().orElseThrow()))
              .setAccount(plain(move.account()))
              .setState(letter(move.state()))
              .setWord("")
              .setPlace("")
              .setSlots(0)
              .setSubmittedMs(madeMs)
              .build());
    }
  }

  /**
   * Time has passed.
   *
   * @param readAt all that accounting had at this moment was read
   */
  void pass(Instant now, Instant readAt) {
    for (Map.Entry<OutsideId, Instant> each : List.copyOf(missing.entrySet())) {
      Instant read = accounted ? readAt : now;
      if (!read.isBefore(each.getValue().plus(GRACE))) {
        over(each.getKey(), Optional.empty(), each.getValue());
      }
    }
    long old = now.minus(HISTORY).toEpochMilli();
    List<OutsideId> past =
        jobs.entrySet().stream()
            .filter(it -> isOver(it.getValue()))
            .sorted(Comparator.comparingLong(it -> it.getValue().getEndedMs()))
            .map(Map.Entry::getKey)
            .toList();
    // Room for as many new ones as a queue of half the bound brings at once.
    int excess = jobs.size() - MOST / 2;
    for (OutsideId id : past) {
      if (jobs.get(id).getEndedMs() < old || excess > 0) {
        drop(id);
        excess--;
      }
    }
  }

  /** All of them are shown no more. */
  void clear() {
    List.copyOf(jobs.keySet()).forEach(this::drop);
  }

  private void drop(OutsideId id) {
    jobs.remove(id);
    arrays.remove(id);
    missing.remove(id);
    doubtful.remove(id);
    logged.remove(id);
    spread.remove(id);
    changed.add(id);
  }

  private void put(OutsideId id, ObservedJob job) {
    if (!job.equals(jobs.put(id, job))) {
      changed.add(id);
    }
  }

  private static boolean isOver(ObservedJob job) {
    return job.getState().equals(OVER);
  }

  /** What has changed since this was asked last; a job that is not there any more has no record. */
  Map<OutsideId, Optional<ObservedJob>> news() {
    Map<OutsideId, Optional<ObservedJob>> news = new TreeMap<>();
    for (OutsideId id : new ArrayList<>(changed)) {
      news.put(id, Optional.ofNullable(jobs.get(id)));
    }
    changed.clear();
    return news;
  }
}
