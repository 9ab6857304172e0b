package io.millrace.schedulers.dialects.gridengine.schedule.search;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.HostRoom;
import io.millrace.schedulers.gridengine.language.cluster.AllocationRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One pass over the hosts, or repeated passes for the rule $round_robin. */
final class HostPass {

  private final SlotGathering.Field field;
  private final AllocationRule rule;
  private final int wanted;
  private final List<HostRoom> hostOfGrant = new ArrayList<>();
  private final List<Integer> indexOfGrant = new ArrayList<>();
  private int total;
  private int most;
  private boolean hasMaster;

  HostPass(SlotGathering.Field field, int wanted) {
    this.field = field;
    this.rule = field.rule();
    this.wanted = wanted;
  }

  SlotGathering.GatheredSlots gather() {
    boolean rounds = rule instanceof AllocationRule.RoundRobin;
    int before;
    do {
      before = total;
      for (int host = 0; host < field.hosts() && total < wanted; host++) {
        takeFrom(field.room(host));
      }
    } while (rounds && total < wanted && total > before);
    if (total < wanted && !field.takesOnce()) {
      field.atMost(rule instanceof AllocationRule.OneHost ? most : total);
    }
    SlotGathering.GatheredSlots gathered = gathered();
    reset();
    return gathered;
  }

  private void reset() {
    for (HostRoom room : hostOfGrant) {
      Arrays.fill(room.granted, 0);
    }
  }

  private void takeFrom(HostRoom room) {
    int possible = room.possible(wanted);
    most = Math.max(most, possible);
    int share = share(possible);
    if (share > 0) {
      take(room, share);
    }
  }

  /** Number of the possible slots that the allocation rule takes from this host. */
  private int share(int possible) {
    int exact = rule.exactPerHost(wanted);
    if (exact > 0) {
      return possible >= exact ? exact : 0;
    }
    return Math.min(possible, rule instanceof AllocationRule.RoundRobin ? 1 : wanted - total);
  }

  private void take(HostRoom room, int share) {
    int[] taken = new int[room.places.length];
    int left = share;
    boolean master = hasMaster;
    for (int i = 0; i < taken.length; i++) {
      int here = room.rooms[i] - room.granted[i];
      if (here <= 0) {
        continue;
      }
      int slots = Math.min(here, left);
      boolean lastOfAll = total + share - left + slots == wanted;
      if (!master && !room.masters[i] && lastOfAll) {
        slots--;
      }
      taken[i] = Math.max(0, slots);
      master |= taken[i] > 0 && room.masters[i];
      left -= slots;
    }
    if (rule.exactPerHost(wanted) == 0 || left == 0) {
      grant(room, taken);
    }
  }

  /**
   * Grants slots on a host; on the master's host each instance that can take the master moves to
   * the front.
   */
  private void grant(HostRoom room, int[] taken) {
    boolean masterBefore = hasMaster;
    for (int i = 0; i < taken.length; i++) {
      if (taken[i] == 0) {
        continue;
      }
      boolean mayBeMaster = !masterBefore && room.masters[i];
      hasMaster |= mayBeMaster;
      if (room.granted[i] == 0) {
        int at = mayBeMaster ? 0 : hostOfGrant.size();
        hostOfGrant.add(at, room);
        indexOfGrant.add(at, i);
      }
      room.granted[i] += taken[i];
      total += taken[i];
    }
  }

  private SlotGathering.GatheredSlots gathered() {
    List<Grant> grants = new ArrayList<>();
    int violations = 0;
    for (int i = 0; i < hostOfGrant.size(); i++) {
      HostRoom room = hostOfGrant.get(i);
      int index = indexOfGrant.get(i);
      grants.add(new Grant(room.places[index].queue(), room.granted[index]));
      violations += room.granted[index] * field.violations(room.places[index]);
    }
    return new SlotGathering.GatheredSlots(total, grants, violations);
  }
}
