package io.millrace.server.core.number;

import io.millrace.schemas.command.GrantBlock;
import io.millrace.schemas.command.LeaseBlock;
import io.millrace.schemas.fact.BlockGranted;
import io.millrace.schemas.fact.BlockLeased;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.state.Keys;

/** Decides who gets which job numbers. */
public final class Deciders {

  public Decision decide(Context c, LeaseBlock command) {
    long first = c.numbers().getUnleasedNumber();
    long end = first + Keys.BLOCK_SIZE;
    return Decision.none()
        .fact(new BlockLeased(c.stamp(), first, end, command.getShard()))
        .tell(command.getShard(), new GrantBlock(c.asShard(), first, end, command.getShard()));
  }

  public Decision decide(Context c, GrantBlock command) {
    Decision decision =
        Decision.none().fact(new BlockGranted(c.stamp(), command.getFirst(), command.getEnd()));
    long numbers = new NumberBlocks(c).left() + command.getEnd() - command.getFirst();
    Parking.releaseWithNumbers(c, numbers, decision);
    return decision;
  }
}
