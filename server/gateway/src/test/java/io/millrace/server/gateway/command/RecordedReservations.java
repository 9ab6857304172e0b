package io.millrace.server.gateway.command;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reservations as the recording of an OpenPBS has them. */
public final class RecordedReservations {

  private RecordedReservations() {}

  /** {@code pbs_rsub -R 1550 -E 1545}, which ends on the next day. */
  public static Reservation r66() {
    Reservation r66 = confirmed(66, "", "15:50:00", "2026-11-21T15:45:00Z", 1, "vm[6]");
    times(r66, "15:40:51", "15:40:52");
    return r66;
  }

  /** {@code pbs_rsub -N r1 -R 1610 -D 00:10:00 -l select=1:ncpus=4}, in partition P1. */
  public static Reservation r73() {
    Reservation r73 = confirmed(73, "r1", "16:10:00", "2026-11-20T16:20:00Z", 4, "vm[0]");
    r73.getSpec().setPartition("P1");
    times(r73, "15:40:53", "15:40:53");
    return r73;
  }

  /** {@code pbs_rsub --hosts vm -R 202611201548.31 -D 60} of pbsu2, who is a manager then. */
  public static Reservation m105() {
    Reservation m105 = confirmed(105, "", "15:48:31", "2026-11-20T15:49:31Z", 64, "vm[0]");
    m105.setId("M105.vm");
    m105.setQueue("M105");
    m105.setNodes(
        IntStream.range(0, 8)
            .mapToObj(it -> "(vm[" + it + "]:ncpus=8)")
            .collect(Collectors.joining("+")));
    ReservationSpec spec = m105.getSpec();
    spec.setMaintained(List.of("vm"));
    spec.setOwner("pbsu2");
    spec.setGroup("pbsu2");
    spec.setUsers(List.of("pbsu2@vm"));
    Chunk host = new Chunk(1, Map.of("ncpus", 64L), Map.of("host", "vm"));
    spec.setRequest(new ResourceRequest(List.of(host), "exclhost", 60L, Map.of()));
    spec.setResourceList(
        attributes(
            "ncpus",
            "64",
            "nodect",
            "1",
            "select",
            "host=vm:ncpus=64",
            "place",
            "exclhost",
            "walltime",
            "00:01:00"));
    spec.setVariables(
        attributes("PBS_O_LOGNAME", "pbsu2", "PBS_O_HOST", "vm", "PBS_O_MAIL", "/var/mail/pbsu2"));
    times(m105, "15:43:31", "15:43:31");
    return m105;
  }

  /** Sets the times of day at which it was made and changed last. */
  private static void times(Reservation reservation, String created, String modified) {
    reservation.setCreatedMs(ms("2026-11-20T" + created + "Z"));
    reservation.setModifiedMs(ms("2026-11-20T" + modified + "Z"));
  }

  private static long ms(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  private static Reservation confirmed(
      long number, String name, String start, String end, long cpus, String node) {
    Reservation reservation = new Reservation();
    reservation.setId("R" + number + ".vm");
    reservation.setNumber(number);
    reservation.setQueue("R" + number);
    reservation.setSpec(spec(name, ms("2026-11-20T" + start + "Z"), ms(end), cpus));
    reservation.setState(ReservationState.CONFIRMED);
    reservation.setSubstate(ReservationState.CONFIRMED);
    reservation.setScheduler("default");
    reservation.setShares(List.of(new NodeShare(node, "vm", 1, Map.of("ncpus", cpus))));
    reservation.setNodes("(" + node + ":ncpus=" + cpus + ")");
    reservation.setBooked(List.of(new BookedNode(node, Map.of("ncpus", cpus), false)));
    reservation.setLost(List.of());
    reservation.setStartedMs(-1L);
    reservation.setEndedBy("");
    reservation.setPlacements(List.of());
    reservation.setLies(List.of());
    reservation.setPast(List.of());
    reservation.setJob("");
    reservation.setOccurrence(1);
    reservation.setOccurrences(1);
    return reservation;
  }

  private static ReservationSpec spec(String name, long startMs, long endMs, long cpus) {
    ReservationSpec spec = new ReservationSpec();
    spec.setMaintained(List.of());
    spec.setRule("");
    spec.setLaterMs(List.of());
    spec.setName(name);
    spec.setOwner("pbsu1");
    spec.setGroup("pbsu1");
    spec.setSubmitHost("vm");
    spec.setPartition("pbs-default");
    spec.setStartMs(startMs);
    spec.setEndMs(endMs);
    long seconds = (endMs - startMs) / 1000;
    spec.setRequest(
        new ResourceRequest(
            List.of(new Chunk(1, Map.of("ncpus", cpus), Map.of())), "free", seconds, Map.of()));
    spec.setResourceList(
        attributes(
            "ncpus",
            Long.toString(cpus),
            "nodect",
            "1",
            "select",
            "1:ncpus=" + cpus,
            "place",
            "free",
            "walltime",
            String.format("%02d:%02d:00", seconds / 3600, seconds / 60 % 60)));
    spec.setVariables(
        attributes("PBS_O_LOGNAME", "pbsu1", "PBS_O_HOST", "vm", "PBS_O_MAIL", "/var/mail/pbsu1"));
    spec.setUsers(List.of("pbsu1@vm"));
    spec.setGroups(List.of());
    spec.setHosts(List.of());
    spec.setMailPoints("a");
    spec.setMailUsers(List.of());
    return spec;
  }

  private static List<Attribute> attributes(String... pairs) {
    List<Attribute> attributes = new java.util.ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    return attributes;
  }
}
