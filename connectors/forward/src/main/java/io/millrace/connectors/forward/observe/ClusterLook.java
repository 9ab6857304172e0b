package io.millrace.connectors.forward.observe;

import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.question.QuestionTurns;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a cluster: its logs and accounting at each look, its queue and its hosts as a whole now
 * and then. One thread calls it.
 */
public final class ClusterLook {
  private static final Logger log = LoggerFactory.getLogger(ClusterLook.class);

  /** Time between two looks. */
  public static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration SLOWEST = Duration.ofSeconds(300);

  /** So often is the queue not told, and that is said. */
  private static final int UNANSWERED = 3;

  /** Pieces of the logs that one look reads. */
  private static final int PIECES = 16;

  private final String name;
  private final OutsideSystem system;

  /** What somebody else asks for; empty where queue and hosts are asked for here. */
  private final Optional<HandedAnswers> handed;

  private final ClusterPicture picture;
  private final InstantSource clock;
  private static final Duration QUERY_LEAST = Duration.ofSeconds(5);

  private final QuestionTurns turns = new QuestionTurns(QUERY_LEAST);
  private final QueryPace queuePace = new QueryPace(QUERY_LEAST, SLOWEST);
  private final QueryPace hostPace = new QueryPace(Duration.ofSeconds(15), SLOWEST);
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final HostSilence silence = new HostSilence(breaker);
  private final SafeCursor safe = new SafeCursor();
  private String cursor;
  private Instant readAt = Instant.MIN;
  private volatile String obstacle = "the queue was not read yet";

  /** Questions for the queue in a row without an answer, and why. */
  private volatile int unanswered;

  private String untold = "";

  /** Whether anything was ever answered. */
  private boolean answered;

  private volatile int nodes;

  /**
   * @param picture with all that was shown before
   * @param cursor how far logs and accounting were read before; empty for their present end
   */
  public ClusterLook(
      String name,
      OutsideSystem system,
      ClusterPicture picture,
      String cursor,
      InstantSource clock) {
    this(name, system, Optional.empty(), picture, cursor, clock);
  }

  private ClusterLook(
      String name,
      OutsideSystem system,
      Optional<HandedAnswers> handed,
      ClusterPicture picture,
      String cursor,
      InstantSource clock) {
    this.name = name;
    this.system = system;
    this.handed = handed;
    this.picture = picture;
    this.cursor = cursor;
    this.clock = clock;
  }

  /**
   * The same of a cluster whose queue and hosts somebody asks for anyhow; its logs and accounting
   * alone are read here.
   *
   * @param clock that of whoever hands answers over: their times are held against it
   */
  public static ClusterLook handed(
      HandedAnswers handed,
      OutsideSystem system,
      ClusterPicture picture,
      String cursor,
      InstantSource clock) {
    return new ClusterLook("", system, Optional.of(handed), picture, cursor, clock);
  }

  /** Looks at all of it that is due. */
  public ClusterNews look() throws InterruptedException {
    changes();
    if (handed.isPresent()) {
      handed();
    } else {
      hosts();
      queue();
      troubles();
    }
    return news();
  }

  /**
   * Looks at hosts, and where logs and accounting end, but at no job: what is shown of one before
   * its cursor is kept somewhere could end unseen.
   */
  public ClusterNews lookAtHosts() throws InterruptedException {
    changes();
    hosts();
    troubles();
    return news();
  }

  private ClusterNews news() {
    List<Shown> shown = picture.news();
    nodes = picture.nodes();
    return new ClusterNews(shown, safe.of(cursor, picture.doubts(), clock.instant()));
  }

  private void changes() throws InterruptedException {
    for (int i = 0; i < PIECES; i++) {
      Instant begun = clock.instant();
      Told<OutsideChanges> told = system.changes(cursor);
      if (told instanceof Told.Nothing<OutsideChanges> nothing) {
        log.debug("{}: {}", name, nothing.why());
        return;
      }
      OutsideChanges changes = ((Told.Answered<OutsideChanges>) told).value();
      picture.changes(changes, begun);
      safe.read(cursor, picture.doubts(), begun);
      cursor = changes.cursor();
      if (changes.atEnd()) {
        readAt = begun;
        return;
      }
    }
  }

  private void handed() {
    Instant now = clock.instant();
    handed.orElseThrow().into(picture, now);
    if (queuePace.isDue(now)) {
      queuePace.asked(now, Duration.ZERO);
      picture.pass(now, readAt);
    }
  }

  /** A question for the whole of something. */
  private interface OutsideQuestion<T> {
    Told<T> ask() throws InterruptedException;
  }

  private void hosts() throws InterruptedException {
    Instant now = clock.instant();
    silence.queue(unanswered < UNANSWERED, hostPace);
    Optional<Told<OutsideInventory>> told = ask(system::inventory, hostPace, now);
    if (told.isPresent()) {
      if (told.get() instanceof Told.Answered<OutsideInventory> answer) {
        silence.answered();
        picture.hosts(answer.value(), now);
      } else if (told.get() instanceof Told.Nothing<OutsideInventory> nothing) {
        silence.silent(nothing.why());
      }
    }
  }

  private void queue() throws InterruptedException {
    Instant now = clock.instant();
    boolean due = breaker.lets(now) && queuePace.isDue(now);
    Optional<Told<List<OutsideJob>>> told = ask(system::snapshot, queuePace, now);
    if (told.isPresent()) {
      if (told.get() instanceof Told.Answered<List<OutsideJob>> answer) {
        unanswered = 0;
        picture.queue(answer.value(), now);
      } else if (told.get() instanceof Told.Nothing<List<OutsideJob>> nothing) {
        unanswered++;
        untold = nothing.why();
      }
    }
    if (due) {
      picture.pass(now, readAt);
    }
  }

  /** What was said to a question that is due; empty for one that is not. */
  private <T> Optional<Told<T>> ask(OutsideQuestion<T> question, QueryPace pace, Instant now)
      throws InterruptedException {
    if (!breaker.lets(now) || !pace.isDue(now) || !turns.takes(pace, now)) {
      return Optional.empty();
    }
    Told<T> told = question.ask();
    pace.asked(now, Duration.between(now, clock.instant()));
    if (told instanceof Told.Nothing<T> nothing) {
      // One that ran into its time limit is no load; the breaker sees to pauses.
      pace.hurry();
      breaker.silent(nothing.why(), now);
    } else {
      breaker.answered();
      answered = true;
    }
    return Optional.of(told);
  }

  /** What is not told is said once it was asked for again and again, until it is told. */
  private void troubles() {
    Optional<String> nothing = silence.why();
    Optional<String> noQueue = unanswered >= UNANSWERED ? Optional.of(untold) : Optional.empty();
    picture.troubles(nothing, noQueue);
    if (nothing.isPresent()) {
      obstacle = "cluster " + name + " does not answer: " + nothing.get();
    } else if (noQueue.isPresent()) {
      obstacle = "cluster " + name + " does not tell its queue: " + noQueue.get();
    } else if (answered) {
      obstacle = "";
    }
  }

  /** What is in the way, in one line; empty for nothing. */
  public String obstacle() {
    return obstacle;
  }

  /** How many questions for the same in a row were not answered. */
  public int unanswered() {
    return Math.max(unanswered, silence.unanswered());
  }

  /** How many hosts are shown. */
  public int nodes() {
    return nodes;
  }
}
