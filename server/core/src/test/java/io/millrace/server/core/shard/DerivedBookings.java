package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.HeldPieces;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservedJob;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a shard keeps besides the records of reservations, worked out from these. */
final class DerivedBookings {
  private DerivedBookings() {}

  /** What follows from the records of reservations and jobs is as they say. */
  static void check(Tables tables) {
    Map<String, Object> bookings = new TreeMap<>();
    for (Reservation one : ReservationCalls.all(tables)) {
      for (BookedNode booked : one.getBooked()) {
        bookings.put(
            Keys.booking(booked.getNode(), one.getSpec().getStartMs(), one.getNumber()),
            booked.getAmounts());
      }
      for (HeldPieces piece : HeldPieces.of(one)) {
        for (BookedNode booked : piece.booked()) {
          bookings.put(
              Keys.booking(booked.getNode(), piece.startMs(), one.getNumber()) + "+",
              booked.getAmounts());
        }
      }
      for (int i = 0; i < one.getLies().size(); i++) {
        for (BookedNode booked : one.getPlacements().get(one.getLies().get(i)).getBooked()) {
          long startMs = one.getSpec().getLaterMs().get(i);
          bookings.put(
              Keys.booking(booked.getNode(), startMs, one.getNumber()), booked.getAmounts());
        }
      }
    }
    Map<String, Object> kept = new TreeMap<>();
    tables
        .bookings()
        .scan(
            "",
            null,
            (key, it) -> {
              kept.put(key, it.getAmounts());
              for (long startMs : it.getLaterMs()) {
                String later = Keys.booking(it.getNode(), startMs, it.getNumber());
                assertNull(kept.put(later, it.getAmounts()), later);
              }
              return true;
            });
    assertEquals(bookings, kept);
    WalkedBookings.check(tables);
    counted(tables);
    Set<String> inside = new TreeSet<>();
    for (Object record : WatchedTable.of(tables, "jobs").records().values()) {
      Job job = (Job) record;
      String queue = job.getSpec().getQueue();
      if (job.getStatus() != JobStatus.FINISHED && queue.matches("[RSM]\\d+")) {
        inside.add(Keys.reserved(Long.parseLong(queue.substring(1)), job.getNumber()));
      }
    }
    Set<String> found = new TreeSet<>();
    tables.table(ReservedJob.class).scan("", null, (key, it) -> found.add(key));
    assertEquals(inside, found);
  }

  /** The most processors of what it is, is to be, or is again in its next occurrence. */
  private static long cpus(Reservation one) {
    if (!one.getSpec().getMaintained().isEmpty()) {
      return 0;
    }
    ReservationSpec held = one.getPending() == null ? null : one.getPending().getSpec();
    long most = one.getUsual() == null ? 0 : cpus(one.getUsual().getRequest());
    for (ReservationSpec spec : Arrays.asList(one.getSpec(), one.getAsked(), held)) {
      most = spec == null ? most : Math.max(most, cpus(spec.getRequest()));
    }
    return most;
  }

  private static long cpus(ResourceRequest request) {
    return request.getChunks().stream()
        .mapToLong(it -> it.getCount() * it.getAmounts().getOrDefault("ncpus", 0L))
        .sum();
  }

  /** So many reservations each user has, and asks for so much with them. */
  private static void counted(Tables tables) {
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> amounts = new TreeMap<>();
    for (Reservation one : ReservationCalls.all(tables)) {
      String owner = "u:" + one.getSpec().getOwner();
      counts.merge(owner, 1L, Long::sum);
      amounts.merge(owner, cpus(one), Long::sum);
    }
    amounts.values().removeIf(it -> it == 0);
    Map<String, Long> counted = new TreeMap<>();
    Map<String, Long> reserved = new TreeMap<>();
    tables
        .table(io.millrace.schemas.state.ReservationCount.class)
        .scan(
            "u",
            "v",
            (key, it) -> {
              reserved.put(key, it.getAmounts().getOrDefault("ncpus", 0L));
              return counted.put(key, it.getCount()) == null;
            });
    reserved.values().removeIf(it -> it == 0);
    assertEquals(counts, counted);
    assertEquals(amounts, reserved);
  }
}
