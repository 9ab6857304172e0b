package io.millrace.server.gateway.plus;

import io.millrace.reservations.window.ReservedTime;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.StartAction;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.reservation.OtherWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** plus_reserve: reserves nodes for a time to come, or says why not. */
final class PlusReserve implements Command {

  private static final String USAGE =
      """
      usage: plus_reserve [-T] -s startTime [-e endTime | -D duration] -n numNodes [-U users]
                          [-mem memSize] [-ncpu cpuNum] [-arch arch] [-os os]
                          [-l attr=value[,...]] [-sn slotNum] [-sgeq qNames] [-x]
             plus_reserve --at [site:]partition=numNodes[,...] -s startTime
                          [-e endTime | -D duration] [-U users] [-mem memSize] [-ncpu cpuNum]
                          [-arch arch] [-os os] [-l attr=value[,...]] [-sn slotNum] [-x]
      """;

  private static final Syntax HOW =
      Syntax.of("", USAGE)
          .with(
              "-s startTime",
              "-e endTime",
              "-D duration",
              "-n numNodes",
              "-U users",
              "-mem memSize",
              "-ncpu cpuNum",
              "-arch arch",
              "-os os",
              "-l attr=value[,...]",
              "-sn slotNum",
              "-sgeq qNames",
              "-x",
              "-T",
              PlusParts.WORD + " [site:]partition=numNodes[,...]")
          .refusing(Map.of('p', PlusOptions.LOST));

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(HOW);
  }

  @Override
  public String undone() {
    return "not reserved";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, InterruptedException {
    PlusOptions options = PlusOptions.read(call, HOW);
    PlusParts parts = options.has(PlusParts.WORD) ? PlusParts.read(call, options) : null;
    if (parts != null && !options.has("-T")) {
      return together(call, options, parts);
    }
    options.must("-s");
    if (parts == null) {
      options.must("-n");
    }
    int nodes =
        parts == null ? options.number("-n", PlusRequest.NODES_MAX, 1) : parts.only().getValue();
    ReservationSpec spec = spec(call, options, window(call, options), nodes);
    spec.setPartition(parts == null ? partition(call, options) : parts.only().getKey());
    if (!Roles.maySubmit(call)) {
      throw call.failure(PbsError.RESERVATION_UID.text(), PlusAnswer.REFUSED);
    }
    CommandMeta meta = call.meta();
    SubmitReservation command =
        new SubmitReservation(meta, spec, PlusAnswer.WAIT_S, true, options.has("-T"), false);
    int shard = shard(call, spec.getPartition());
    Reply reply = OtherWords.await(call, shard, meta, command, PlusAnswer.WAIT_S);
    return shown(call, options, reply);
  }

  /** Parts in several partitions, all of them or none. */
  private static int together(Call call, PlusOptions options, PlusParts parts)
      throws Failure, LinkException, InterruptedException {
    ReservedTime window = window(call, options);
    List<ReservationSpec> specs = new ArrayList<>();
    for (Map.Entry<String, Integer> part : parts.nodes().entrySet()) {
      ReservationSpec spec = spec(call, options, window, part.getValue());
      spec.setPartition(part.getKey());
      specs.add(spec);
    }
    List<String> arguments = parts.arguments(options, window, call.invocation().user());
    if (!Roles.maySubmit(call)) {
      throw call.failure(PbsError.RESERVATION_UID.text(), PlusAnswer.REFUSED);
    }
    CommandMeta meta = call.meta();
    int shard =
        specs.isEmpty() ? Topics.ADMINISTRATIVE_SHARD : shard(call, specs.get(0).getPartition());
    ReserveTogether command =
        new ReserveTogether(
            meta, specs, parts.wishes(), arguments, window.startMs(), window.endMs());
    Reply reply = OtherWords.await(call, shard, meta, command, parts.waitSeconds());
    return shown(call, options, reply);
  }

  private static int shown(Call call, PlusOptions options, Reply reply) throws Failure {
    String name = PlusAnswer.shortName(PlusAnswer.confirmed(call, reply));
    call.out(options.has("-x") ? new PlusXml().reserved(name).end() : name + "\n");
    return 0;
  }

  private static ReservedTime window(Call call, PlusOptions options) throws Failure {
    options.must("-s");
    options.exclude("-e", "-D");
    if (!options.has("-e") && !options.has("-D")) {
      throw options.wrong("one of the options -e and -D is needed");
    }
    Long start = PlusTimes.time(call, options, "-s");
    Long end = PlusTimes.time(call, options, "-e");
    Long duration = PlusTimes.duration(options, "-D");
    return ReservedTime.of(start, end, duration, call.site().clock().millis())
        .orElseThrow(() -> call.failure(PbsError.BAD_TIMES.text(), PlusAnswer.REFUSED));
  }

  private static ReservationSpec spec(
      Call call, PlusOptions options, ReservedTime window, int nodes)
      throws Failure, LinkException, InterruptedException {
    ParsedRequest request = PlusRequest.of(call, options, nodes, window.durationMs());
    ReservationSpec spec = OtherWords.asked(call);
    if (options.has("-U")) {
      // A part of what was asked for in another installation names that one's users, too.
      boolean part = options.has(PlusParts.WORD) && options.has("-T");
      spec.setUsers(
          part
              ? OtherWords.users(call, options.value("-U"), USAGE)
              : PlusRequest.users(call, options.value("-U"), USAGE));
    }
    // What the scheduler object says takes its place.
    spec.setOthers(new OthersAtStart(StartAction.REQUEUE, 0L));
    spec.setStartMs(window.startMs());
    spec.setEndMs(window.endMs());
    spec.setRequest(request.request());
    spec.setResourceList(request.resourceList());
    return spec;
  }

  /** The partition of the queues that are named, which must have one together. */
  private static String partition(Call call, PlusOptions options)
      throws Failure, LinkException, InterruptedException {
    if (!options.has("-sgeq")) {
      return Site.DEFAULT_PARTITION;
    }
    Set<String> partitions = new TreeSet<>();
    for (String queue : options.value("-sgeq").split(",", -1)) {
      ClusterObject found =
          call.site()
              .find(ObjectKind.QUEUE, queue)
              .orElseThrow(() -> call.failure("unknown queue: " + queue, PlusAnswer.REFUSED));
      partitions.add(Site.partitionOf(found));
    }
    if (partitions.size() > 1) {
      throw call.failure(
          "the queues are of several partitions: " + String.join(", ", partitions),
          PlusAnswer.REFUSED);
    }
    return partitions.iterator().next();
  }

  private static int shard(Call call, String partition) throws LinkException, InterruptedException {
    Optional<ClusterObject> found = call.site().find(ObjectKind.PARTITION, partition);
    return found.flatMap(it -> ClusterView.attribute(it, "shard")).map(Integer::parseInt).orElse(0);
  }
}
