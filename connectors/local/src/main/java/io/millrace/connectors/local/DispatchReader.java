package io.millrace.connectors.local;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.HostServed;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.MessageRun;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that carries out orders, in their order. */
final class DispatchReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DispatchReader.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;

  /** The shards answer an announcement in any order; one of them may still take it on. */
  private static final long ANSWERS_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** PBS's JOB_EXEC_FAIL1: could not be started, and another try would not help. */
  private static final int FAILED = -1;

  /** PBS's JOB_EXEC_INITABT: nothing is known of the run here. */
  private static final int UNKNOWN = -4;

  /** Who the reader is; what it says of itself to whoever asks. */
  record Here(String host, Reports.Self self) {}

  /**
   * Whom it talks to.
   *
   * @param asked told when a shard asks who is here
   */
  record Ways(
      Execution execution,
      Releases releases,
      ReportSender sender,
      Reports reports,
      Announcer announcer,
      Runnable asked) {}

  private final DispatchConsumer consumer;
  private final RecordCodec codec;
  private final Here here;
  private final Ways ways;
  private final RunOrders runOrders;
  private final Lookahead lookahead = new Lookahead();
  private final Thread thread;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch served = new CountDownLatch(1);
  private volatile String dismissal = "";
  private String refusal = "";
  private long underWay;
  private OptionalLong lostSince = OptionalLong.empty();

  DispatchReader(DispatchConsumer consumer, RecordCodec codec, Here here, Ways ways) {
    this.consumer = consumer;
    this.codec = codec;
    this.here = here;
    this.ways = ways;
    this.runOrders = new RunOrders(ways.execution(), this::awaitRoom);
    this.thread = new Thread(this::run, "millrace-dispatch");
  }

  void start() {
    thread.start();
  }

  void await() throws InterruptedException {
    thread.join();
  }

  /** Waits until a shard has taken the executor on. */
  void awaitServed() throws InterruptedException {
    served.await();
  }

  /** Why it ended by itself, in one line; empty when it did not. */
  String dismissal() {
    return dismissal;
  }

  @Override
  public void close() {
    stop.countDown();
    consumer.wakeUp();
    thread.interrupt();
    boolean interrupted = Thread.interrupted();
    try {
      thread.join();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    long next = consumer.next();
    while (stop.getCount() > 0 && dismissal.isEmpty()) {
      try {
        lookahead.begin();
        ConsumerRecords<String, byte[]> records = consumer.poll(POLL);
        for (ConsumerRecord<String, byte[]> record : records) {
          underWay = record.offset();
          carryOutGuarded(record);
          next = record.offset() + 1;
          if (lookahead.returned(consumer, next)) {
            break;
          }
        }
        next = Math.max(next, consumer.next());
        ways.releases().reached(next);
        leaveWhenLost();
      } catch (WakeupException | InterruptException | InterruptedException e) {
        if (stop.getCount() == 0) {
          break;
        }
        consumer.renew(next); // what was polled and not carried out comes again
      } catch (OffsetOutOfRangeException e) {
        next = returnToOrders(e, next);
      } catch (KafkaException e) {
        renewAfter(e, next);
      } catch (IOException e) {
        log.error("the position cannot be written, trying again: {}", e.toString());
        pause();
      }
    }
    Thread.interrupted(); // close() interrupts; the consumer must still say good-bye
    consumer.close();
  }

  private long returnToOrders(OffsetOutOfRangeException gone, long before) {
    try {
      long next = consumer.returnToOrders(gone);
      ways.announcer().again(); // the shards ask after the lost orders' runs
      return next;
    } catch (KafkaException e) {
      renewAfter(e, before);
      return before;
    }
  }

  private void renewAfter(KafkaException failure, long next) {
    log.error("the consumer of orders failed; making another one: {}", failure.toString());
    pause();
    consumer.renew(next);
  }

  /** One order that cannot be carried out must not hold up the others. */
  private void carryOutGuarded(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    try {
      carryOut(record);
    } catch (KafkaException e) {
      throw e;
    } catch (RuntimeException e) {
      log.error(
          "order at {}-{} offset {} failed and is left out",
          record.topic(),
          record.partition(),
          record.offset(),
          e);
    }
  }

  /** Decodes an order; null when it is none, which is said. */
  private SpecificRecord decode(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    while (true) {
      try {
        return codec.decode(record.value());
      } catch (UndecodableRecord e) {
        log.error(
            "order at {}-{} offset {} cannot be read and is left out: {}",
            record.topic(),
            record.partition(),
            record.offset(),
            e.getMessage());
        return null;
      } catch (IllegalStateException e) {
        // The registry is out of reach, which says nothing about the order.
        log.error("cannot read the order at offset {}, trying again: {}", record.offset(), e + "");
        pauseOrStop();
      }
    }
  }

  private void carryOut(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    if (!here.host().equals(record.key())) {
      return;
    }
    SpecificRecord order = decode(record);
    if (!here.self().claim().covers(order)) {
      return;
    }
    if (order instanceof StartRun start) {
      start(start, record.offset());
    } else if (order instanceof KillRun kill) {
      kill(kill, record.offset());
    } else if (order instanceof SignalRun signal) {
      runOrders.pass(signal);
    } else if (order instanceof MessageRun message) {
      runOrders.write(message);
    } else if (order instanceof AskHost ask) {
      if (ways.announcer().answer(ask.getShard())) {
        ways.asked().run();
      }
    } else if (order instanceof HostServed answer) {
      hear(answer);
    } else if (order instanceof AskRuns ask) {
      callTheRoll(ask);
    } else if (order != null) {
      log.error("order at offset {} is a {}", record.offset(), order.getSchema().getName());
    }
  }

  private void start(StartRun order, long offset) throws InterruptedException {
    RunRequest request;
    try {
      request = RunRequests.of(order, offset);
      endEarlierRuns(request.id());
    } catch (IllegalArgumentException e) {
      refuse(order, offset, e.getMessage());
      return;
    }
    ways.releases().hold(offset);
    boolean done = false;
    while (!done) {
      try {
        boolean taken = ways.execution().start(request);
        if (!taken || ways.execution().survives()) {
          ways.releases().settled(offset);
        }
        done = true;
      } catch (IllegalArgumentException e) {
        refuse(order, offset, e.getMessage());
        done = true;
      } catch (IOException e) {
        // A full disk: the order waits, and with it all that follow but the ends of runs.
        log.error("cannot take on {}, trying again: {}", request.id(), e.toString());
        awaitRoom();
      }
    }
  }

  private void refuse(StartRun order, long offset, String why) {
    log.error("cannot start {} run {}: {}", order.getJobId(), order.getRun(), why);
    Reports.Gone gone =
        new Reports.Gone(
            order.getShard(), order.getJobId(), order.getRun(), task(order), FAILED, why);
    answer(gone, offset);
  }

  private static int task(StartRun order) {
    return order.getTask() == null ? 0 : order.getTask().getNumber();
  }

  /** Nothing but this order remembers that there is something to answer. */
  private void answer(Reports.Gone gone, long offset) {
    ways.releases().hold(offset);
    ways.sender().send(ways.reports().gone(gone, () -> ways.releases().settled(offset)));
  }

  /** A later run of the same job says that these were given up, and all that belongs to them. */
  private void endEarlierRuns(RunId id) {
    if (id.run() > 1) {
      ways.execution().runs().stream().filter(id::follows).forEach(this::discard);
    }
  }

  private void kill(KillRun order, long offset) {
    try {
      if (signalled(order)) {
        return; // its end is reported in any case
      }
    } catch (IllegalArgumentException e) {
      log.error("order to kill an illegally formed run: {}", e.getMessage());
    }
    String why = "host " + here.host() + " has no such run";
    answer(
        new Reports.Gone(
            order.getShard(), order.getJobId(), order.getRun(), order.getTask(), UNKNOWN, why),
        offset);
  }

  /** Ends what is known here. */
  private boolean signalled(KillRun order) {
    RunId id = new RunId(order.getJobId(), order.getRun(), order.getTask());
    boolean known = ways.execution().knows(id);
    if (known && order.getDiscard()) {
      discard(id);
    } else if (known) {
      signal(id, order.getKillDelayS() == 0 ? SIGKILL : SIGTERM);
    }
    return known;
  }

  /** Another executor serves the host, as far as the shard goes. */
  private void hear(HostServed answer) {
    HostClaim.Standing standing = here.self().claim().heard(answer);
    if (here.self().claim().serves()) {
      served.countDown();
    }
    if (standing == HostClaim.Standing.UNCHANGED) {
      return;
    }
    String why =
        standing == HostClaim.Standing.REFUSED
            ? String.format(
                "host %s is served by executor %s, which has runs there (%d); if its spool is gone"
                    + " for good, start this one (%s) once with --take-over true (up: --take-over)",
                here.host(), answer.getExecutor(), answer.getRuns(), here.self().claim().executor())
            : String.format(
                "host %s was taken over by executor %s from this one (%s)",
                here.host(), answer.getExecutor(), here.self().claim().executor());
    log.error("shard {}: {}", answer.getShard(), why);
    refusal = why;
  }

  /**
   * Who serves no shard ends; one that has runs sees to their ends before, and gets no orders for
   * others.
   */
  private void leaveWhenLost() {
    if (!here.self().claim().lost() || !ways.execution().runs().isEmpty()) {
      lostSince = OptionalLong.empty();
      return;
    }
    long now = System.nanoTime();
    if (lostSince.isEmpty()) {
      lostSince = OptionalLong.of(now);
    } else if (now - lostSince.getAsLong() > ANSWERS_NANOS) {
      dismissal = refusal;
    }
  }

  /**
   * All orders before the question were carried out, and a run is forgotten only when the broker
   * has the report of its end: what is not known now was lost, or its end stands in the inbox
   * before this answer.
   */
  private void callTheRoll(AskRuns question) {
    for (RunName run : question.getRuns()) {
      boolean known = false;
      try {
        known = ways.execution().knows(new RunId(run.getJobId(), run.getRun(), run.getTask()));
      } catch (IllegalArgumentException e) {
        log.error("asked after an illegally formed run: {}", e.getMessage());
      }
      if (!known) {
        log.warn("{} run {} was ordered and is not known here", run.getJobId(), run.getRun());
        ways.sender().send(ways.reports().missing(question.getShard(), run));
      }
    }
  }

  private void signal(RunId id, int signal) {
    try {
      ways.execution().kill(id, signal);
    } catch (IOException e) {
      log.error("cannot end {}: {}", id, e.toString());
    }
  }

  private void discard(RunId id) {
    try {
      ways.execution().discard(id);
    } catch (IOException e) {
      log.error("cannot end {}, which was given up: {}", id, e.toString());
    }
  }

  /** Lets time pass for an order that found no room on the disk. */
  private void awaitRoom() throws InterruptedException {
    lookahead.look(consumer, underWay + 1, this::endAhead);
    pauseOrStop();
  }

  /**
   * Ends a run before its turn; it ends once more in its turn, which changes nothing. One that is
   * not known here may have its start still before it, and waits for its turn.
   */
  private void endAhead(ConsumerRecord<String, byte[]> record) {
    if (!here.host().equals(record.key())) {
      return;
    }
    try {
      SpecificRecord order = codec.decode(record.value());
      if (order instanceof KillRun kill && here.self().claim().covers(order)) {
        signalled(kill);
      }
    } catch (UndecodableRecord | IllegalArgumentException | IllegalStateException e) {
      log.debug("the order at offset {} waits for its turn: {}", record.offset(), e.toString());
    }
  }

  private void pauseOrStop() throws InterruptedException {
    if (stop.await(1, TimeUnit.SECONDS)) {
      throw new InterruptedException("closed");
    }
  }

  private void pause() {
    try {
      if (stop.await(1, TimeUnit.SECONDS)) {
        log.debug("closed during a pause");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
