package io.millrace.server.core.number;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.LeaseBlock;
import io.millrace.schemas.fact.BlockGranted;
import io.millrace.schemas.fact.BlockLeased;
import io.millrace.schemas.fact.BlockRequested;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Keys;

/** Job numbers of a shard during one decision: a block in use and one leased ahead. */
public final class NumberBlocks {
  private final Context context;
  private long next;
  private long end;
  private long spareNext;
  private long spareEnd;

  public NumberBlocks(Context context) {
    this.context = context;
    ShardState numbers = context.numbers();
    next = numbers.getNextNumber();
    end = numbers.getBlockEnd();
    spareNext = numbers.getSpareNext();
    spareEnd = numbers.getSpareEnd();
  }

  public long left() {
    return end - next + spareEnd - spareNext;
  }

  /** Leases ahead when less than a block will be left. The administrative shard serves itself. */
  public void request(Decision decision, int wanted) {
    boolean administrative = context.shard() == Topics.ADMINISTRATIVE_SHARD;
    long unleased = context.numbers().getUnleasedNumber();
    boolean spareFree = spareNext == spareEnd;
    if (administrative) {
      // A block in use and a spare hold more than one command can want.
      while (left() < wanted || (spareNext == spareEnd && end - next < wanted)) {
        long first = unleased;
        unleased += Keys.BLOCK_SIZE;
        decision.fact(new BlockLeased(context.stamp(), first, unleased, context.shard()));
        decision.fact(new BlockGranted(context.stamp(), first, unleased));
        granted(first, unleased);
      }
    } else if (spareFree && !context.numbers().getBlockRequested()) {
      decision.fact(new BlockRequested(context.stamp()));
      decision.tell(
          Topics.ADMINISTRATIVE_SHARD, new LeaseBlock(context.asShard(), context.shard()));
    }
  }

  private void granted(long first, long blockEnd) {
    if (next == end) {
      next = first;
      end = blockEnd;
    } else {
      spareNext = first;
      spareEnd = blockEnd;
    }
  }

  /** The next number; only after {@link #left} said that there is one. */
  public long take() {
    if (next == end) {
      next = spareNext;
      end = spareEnd;
      spareNext = 0;
      spareEnd = 0;
    }
    return next++;
  }

  /** Applies a granted block. */
  public static void granted(ShardState numbers, long first, long blockEnd) {
    if (numbers.getNextNumber() == numbers.getBlockEnd()) {
      numbers.setNextNumber(first);
      numbers.setBlockEnd(blockEnd);
    } else {
      numbers.setSpareNext(first);
      numbers.setSpareEnd(blockEnd);
    }
    numbers.setBlockRequested(false);
  }

  /** Applies the use of a number. */
  public static void used(ShardState numbers, long number) {
    if (numbers.getNextNumber() == numbers.getBlockEnd()) {
      numbers.setNextNumber(numbers.getSpareNext());
      numbers.setBlockEnd(numbers.getSpareEnd());
      numbers.setSpareNext(0L);
      numbers.setSpareEnd(0L);
    }
    if (number != numbers.getNextNumber()) {
      throw new IllegalStateException(
          "job number " + number + " is not the next one, " + numbers.getNextNumber());
    }
    numbers.setNextNumber(number + 1);
  }
}
