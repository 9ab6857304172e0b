package io.millrace.server.campaigns.core.place;

import io.millrace.schemas.campaign.AttemptBlock;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last attempt at each task that is over: its number, its job and how long it ran. Jobs of
 * neighbours have near numbers, so that one takes few bytes. Blocks are small, since each end
 * writes one.
 */
public final class LastAttempts {

  /** Tasks of a block. */
  private static final int TASKS = 100;

  /** Of a block's record, with its key and what makes the key known elsewhere. */
  private static final int ENTRY = 250;

  private static final int SEVEN = 7;
  private static final int LOW = 0x7f;
  private static final int MORE = 0x80;

  private static final Pattern JOB = Pattern.compile("(0|[1-9][0-9]{0,14})(\\.[^\\x00]{0,255})");

  private final CampaignTable table;

  public LastAttempts(CampaignTable table) {
    this.table = table;
  }

  /**
   * An attempt.
   *
   * @param jobId empty when it is not known
   */
  public record KnownAttempt(int attempt, String jobId, long runMs) {}

  /** A block as it is read: 0 and -1 where nothing is known. */
  private static final class Block {
    final int[] attempts = new int[TASKS];
    final long[] jobs = new long[TASKS];
    final long[] ranMs = new long[TASKS];
    String server = "";
    int bytes;

    void put(int task, int attempt, long job, long runMs) {
      attempts[task] = attempt;
      jobs[task] = job;
      ranMs[task] = runMs;
    }
  }

  private static String key(long campaign, int task) {
    return CampaignKeys.attempts(campaign, task / TASKS);
  }

  private static int memory(AttemptBlock block) {
    return ENTRY + block.getServer().length() + block.getAttempts().remaining();
  }

  private Block block(long campaign, int task) {
    Block block = new Block();
    AttemptBlock known = (AttemptBlock) table.get(key(campaign, task));
    if (known == null) {
      return block;
    }
    block.server = known.getServer();
    block.bytes = memory(known);
    ByteBuffer in = known.getAttempts().duplicate();
    long job = 0;
    for (int i = 0; in.hasRemaining(); i++) {
      int attempt = (int) number(in);
      if (attempt == 0) {
        continue;
      }
      long step = number(in);
      if (step > 0) {
        job += (step - 1) >>> 1 ^ -(step - 1 & 1);
      }
      block.put(i, attempt, step > 0 ? job : -1, number(in));
    }
    return block;
  }

  private static Optional<AttemptBlock> packed(Block block) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long job = 0;
    int used = 0;
    for (int i = 0; i < TASKS; i++) {
      number(out, block.attempts[i]);
      if (block.attempts[i] == 0) {
        continue;
      }
      if (block.jobs[i] < 0) {
        number(out, 0);
      } else {
        long step = block.jobs[i] - job;
        number(out, (step << 1 ^ step >> Long.SIZE - 1) + 1);
        job = block.jobs[i];
      }
      number(out, block.ranMs[i]);
      used = out.size();
    }
    return used == 0
        ? Optional.empty()
        : Optional.of(
            new AttemptBlock(block.server, ByteBuffer.wrap(out.toByteArray(), 0, used).slice()));
  }

  private static void number(ByteArrayOutputStream out, long number) {
    long left = number;
    for (; left > LOW; left >>>= SEVEN) {
      out.write((int) (left & LOW | MORE));
    }
    out.write((int) left);
  }

  private static long number(ByteBuffer in) {
    long number = 0;
    int shift = 0;
    for (byte next = in.get(); ; next = in.get()) {
      number |= (long) (next & LOW) << shift;
      if (next >= 0) {
        return number;
      }
      shift += SEVEN;
    }
  }

  /**
   * A task has ended.
   *
   * @param full whether there is no room for more: of this task nothing is known then
   */
  public void put(Campaign campaign, AttemptEnded ended, boolean full) {
    int task = ended.getTask();
    Block block = block(campaign.getId(), task);
    int before = block.bytes;
    Matcher job = JOB.matcher(ended.getJobId());
    boolean known = job.matches();
    if (known && block.server.isEmpty()) {
      block.server = job.group(2);
    }
    // All jobs of a block are of one server, as all of a home are.
    boolean here = known && block.server.equals(job.group(2));
    if (full) {
      block.put(task % TASKS, 0, -1, 0);
    } else {
      long number = here ? Long.parseLong(job.group(1)) : -1;
      block.put(task % TASKS, ended.getAttempt(), number, Math.max(0, ended.getRunMs()));
    }
    AttemptBlock packed = packed(block).orElse(null);
    int after = packed == null ? 0 : memory(packed);
    campaign.setAttemptBytes(campaign.getAttemptBytes() + after - before);
    table.put(key(campaign.getId(), task), packed);
  }

  /** Nothing is remembered of a campaign any more. */
  public void forgetAll(Campaign campaign) {
    for (int first = 0; first < campaign.getTasks(); first += TASKS) {
      table.put(key(campaign.getId(), first), null);
    }
  }

  /** Reads the attempts of one campaign, in the order of its tasks. */
  public AttemptReader of(long campaign) {
    return new AttemptReader(campaign);
  }

  /** Has a block of a campaign at hand. */
  public final class AttemptReader {
    private final long campaign;
    private Block block;
    private int number = -1;

    private AttemptReader(long campaign) {
      this.campaign = campaign;
    }

    /** The last attempt at a task that is over; empty when nothing is known. */
    public Optional<KnownAttempt> last(int task) {
      if (number != task / TASKS) {
        block = block(campaign, task);
        number = task / TASKS;
      }
      int at = task % TASKS;
      if (block.attempts[at] == 0) {
        return Optional.empty();
      }
      String job = block.jobs[at] < 0 ? "" : block.jobs[at] + block.server;
      return Optional.of(new KnownAttempt(block.attempts[at], job, block.ranMs[at]));
    }
  }
}
