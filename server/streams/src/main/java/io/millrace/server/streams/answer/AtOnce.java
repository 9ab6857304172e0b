package io.millrace.server.streams.answer;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * Which answers of a shard go over a gateway's connection: those about jobs and reservations. Who
 * changes an object and has his answer may ask next what gateways read from topics of committed
 * records, and these tell of the change a little later than the commit.
 *
 * <p>An answer over a connection may be lost, so its gateway must ask again soon. About jobs it is
 * told to wait sometimes, and then does not; so it is answered so while its own command is decided.
 * About reservations it never is, and somebody else decides: a scheduler, or the shards of the
 * parts.
 */
public final class AtOnce {
  private static final String ABOUT_JOBS = "job.";
  private static final String ABOUT_RESERVATIONS = "reservation";

  /** As long as the first pause of a gateway that repeats its command; each is twice as long. */
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Commands about reservations that are kept until they are answered. */
  private static final int OPEN_MAX = 1_000;

  private final LongSupplier nanos;

  /** Those that were asked last, and when. */
  private final Map<CommandId, Long> open =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<CommandId, Long> eldest) {
          return size() > OPEN_MAX;
        }
      };

  /** That about a job which is decided now; null for none. */
  private CommandId job;

  public AtOnce() {
    this(System::nanoTime);
  }

  AtOnce(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A command is decided now; what is answered next follows from it. */
  public void decided(CommandFamily from, SpecificRecord command) {
    job = null;
    String subject = command.getSchema().getProp("subject");
    if (from != CommandFamily.USER || subject == null) {
      return;
    }
    if (subject.startsWith(ABOUT_JOBS)) {
      job = Envelope.ofCommand(command).getId();
    } else if (subject.startsWith(ABOUT_RESERVATIONS)) {
      CommandId id = Envelope.ofCommand(command).getId();
      open.remove(id); // so that it is the last one
      open.put(id, nanos.getAsLong());
    }
  }

  /** Whether an answer may be told over a connection. */
  public boolean may(Reply reply) {
    if (reply.getInterim()) {
      return false;
    }
    Long askedNanos = open.remove(reply.getId());
    boolean soon = askedNanos != null && nanos.getAsLong() - askedNanos < SOON_NANOS;
    return soon || reply.getId().equals(job);
  }
}
