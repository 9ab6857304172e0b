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
  private final SafeCursor safe = new SafeCursor();
  private String cursor;
  private Instant readAt = Instant.MIN;
  private volatile String obstacle = "the queue was not read yet";
  private volatile int unanswered;
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
    Optional<OutsideInventory> told = ask(system::inventory, hostPace, now);
    told.ifPresent(it -> picture.hosts(it, now));
  }

  private void queue() throws InterruptedException {
    Instant now = clock.instant();
    boolean due = breaker.lets(now) && queuePace.isDue(now);
    Optional<List<OutsideJob>> told = ask(system::snapshot, queuePace, now);
    told.ifPresent(it -> picture.queue(it, now));
    if (due) {
      picture.pass(now, readAt);
    }
  }

  /** The answer to a question that is due; empty for anything else, which says nothing. */
  private <T> Optional<T> ask(OutsideQuestion<T> question, QueryPace pace, Instant now)
      throws InterruptedException {
    if (!breaker.lets(now) || !pace.isDue(now) || !turns.takes(pace, now)) {
      return Optional.empty();
    }
    Told<T> told = question.ask();
    pace.asked(now, Duration.between(now, clock.instant()));
    if (told instanceof Told.Nothing<T> nothing) {
      // One that ran into its time limit is no load; the breaker sees to pauses.
      pace.hurry();
      silent(nothing.why(), now);
      return Optional.empty();
    }
    breaker.answered();
    unanswered = 0;
    obstacle = "";
    return Optional.of(((Told.Answered<T>) told).value());
  }

  private void silent(String why, Instant now) {
    breaker.silent(why, now);
    unanswered++;
    if (breaker.isOpen()) {
      picture.silent(why);
      obstacle = "cluster " + name + " does not answer: " + why;
    }
  }

  /** What is in the way, in one line; empty for nothing. */
  public String obstacle() {
    return obstacle;
  }

  /** How many questions in a row were not answered. */
  public int unanswered() {
    return unanswered;
  }

  /** How many hosts are shown. */
  public int nodes() {
    return nodes;
  }
}
