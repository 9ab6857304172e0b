package io.millrace.server.gridengine.advance;

import io.millrace.schedulers.gridengine.language.StartTrial.TrialPlace;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.KnownAccounts;
import io.millrace.server.gateway.reservation.OtherWords;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellAdmission;
import io.millrace.server.gridengine.cell.CellHosts;
import io.millrace.server.gridengine.cell.CellReservations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What qrsub asks for, on the nodes that Grid Engine's rules choose for it. */
final class AdvanceRequest {

  private static final String[] KEPT = {"-N", "-A", "-he", "-l", "-now", "-pe", "-q", "-u"};
  private static final Pattern USER = Pattern.compile("[\\p{Graph}&&[^#@,]]{1,256}");
  private static final int USERS_MAX = 500;

  private final Call call;
  private final Cell cell;
  private final AdvanceOptions options;
  private final Cluster cluster;
  private final KnownAccounts accounts = new KnownAccounts();

  /** What runs take, as it was when somebody looked last, and which runs those were at least. */
  private FreeAmounts runs;

  private Set<String> known = Set.of();

  private AdvanceTimes window;

  AdvanceRequest(Call call, Cell cell, AdvanceOptions options) {
    this.call = call;
    this.cell = cell;
    this.options = options;
    this.cluster = cell.configuration().cluster();
  }

  /**
   * The reservation, with the nodes on which it is to lie.
   *
   * @return empty when there is no room in the window
   * @throws RequestRefused when the cell has not what is asked for
   */
  Optional<ReservationSpec> place(AdvanceTimes asks)
      throws Failure, QueryException, InterruptedException {
    Submission asked = Submission.of(options.words("-N", "-l", "-now", "-pe", "-q"));
    CellAdmission admission = new CellAdmission(cell, call.site().cluster());
    Needs needs = admission.needs(asked, call.role());
    for (AttributeRequest each : needs.hard()) {
      if (each.complex().consumable() && each.complex().relation() == Relation.EXCLUSIVE) {
        throw new RequestRefused(
            "advance_reservation: \"" + each.complex().name() + "\" is for one job alone");
      }
    }
    List<String> users = users();
    Predicate<QueueInstance> wanted = wanted(cluster, users, asked.immediate());
    window = asks;
    FreeSlots slots = look();
    FreeAmounts amounts = reservations(-1);
    for (String partition : cell.partitions(call.site())) {
      FreeCluster free =
          new FreeCluster(slots.ofPartition(partition, call.wholeSite().resources()));
      Cluster room = amounts.of(free.of(cluster, CellHosts.of(call, cell), wanted));
      Optional<TrialPlace> place =
          admission.place(
              room, asked, needs, call.invocation().user(), call.site().clock().instant());
      if (place.isPresent()) {
        return Optional.of(spec(partition, users, place.get(), free));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether others have not got the same licences meanwhile, with a run or a reservation: the shard
   * looks only at processors.
   *
   * @param number of the reservation, once it is held
   */
  boolean holds(long number, ReservationSpec spec) throws QueryException, InterruptedException {
    if (!known.containsAll(FreeSlots.runs(call.wholeSite().queries().nodes()))) {
      look(); // others have begun; those that have ended make only room
    }
    FreeAmounts all = reservations(number);
    all.reservation(spec);
    return all.enoughFor(spec);
  }

  /** Looks at all runs. */
  private FreeSlots look() throws QueryException, InterruptedException {
    runs = new FreeAmounts(cluster, window);
    FreeSlots slots =
        FreeSlots.of(call, window, job -> runs.run(job), cell.partitions(call.site())::contains);
    known = slots.runs();
    return slots;
  }

  /**
   * What runs and reservations take.
   *
   * @param held number of one that is held to be counted, which does not count itself; nor do those
   *     that were held behind it, or two that come together would deny each other the last licence;
   *     -1 for all
   */
  private FreeAmounts reservations(long held) throws QueryException, InterruptedException {
    FreeAmounts all = runs.copy();
    for (Reservation each : CellReservations.all(call, cell)) {
      if (held < 0 || countsFor(each, held)) {
        all.reservation(each.getSpec());
      }
    }
    return all;
  }

  static boolean countsFor(Reservation other, long held) {
    ReservationTransaction open = other.getPending();
    boolean onlyHeld = open != null && open.getKind() == TransactionKind.RESERVE;
    return other.getNumber() != held && !(onlyHeld && other.getNumber() > held);
  }

  /**
   * Which queue instances may be reserved.
   *
   * @param users all who may use the reservation; its queues must admit each of them
   * @param immediate only interactive queues, as for jobs with -now y
   */
  static Predicate<QueueInstance> wanted(Cluster cluster, List<String> users, boolean immediate) {
    return queue ->
        (!immediate || queue.interactive())
            && users.stream().allMatch(it -> queue.access().admitsUser(it, cluster.accessLists()));
  }

  /** The users of -u; those of an access list are those who are in it now. */
  private List<String> users() throws Failure {
    List<String> users = new ArrayList<>();
    for (String each : options.list("-u")) {
      if (each.startsWith("@")) {
        String list = each.substring(1);
        if (!cluster.accessLists().containsKey(list)) {
          throw new RequestRefused("denied: userset \"" + list + "\" does not exist");
        }
        users.addAll(cluster.accessLists().get(list));
      } else if (USER.matcher(each).matches()) {
        if (accounts.stranger(call.invocation().user(), List.of(each)).isPresent()) {
          throw new Failure("error: " + each + " is not known as a user\n", 1);
        }
        users.add(each);
      } else {
        throw AdvanceOptions.invalid("-u " + each);
      }
    }
    if (users.size() > USERS_MAX) {
      throw new RequestRefused("denied: more than " + USERS_MAX + " users");
    }
    return users.stream().distinct().toList();
  }

  /**
   * Who may use the reservation: its owner from any host, and those of -u. Without -u that is
   * everybody, as in Grid Engine.
   *
   * @param restricted whether -u was given, if only with a list of nobody
   */
  static List<String> users(String owner, List<String> others, boolean restricted) {
    String anybody = restricted ? owner : CellReservations.ANYBODY;
    return Stream.concat(Stream.of(anybody, owner), others.stream()).distinct().toList();
  }

  private ReservationSpec spec(
      String partition, List<String> users, TrialPlace place, FreeCluster free) throws Failure {
    ReservationSpec spec = OtherWords.asked(call);
    spec.setName(options.value("-N").orElse(""));
    AdvanceMail.of(options).into(spec);
    spec.setPartition(partition);
    spec.setUsers(users(call.invocation().user(), users, options.has("-u")));
    spec.setStartMs(window.startMs());
    spec.setEndMs(window.endMs());
    ParsedRequest request = request(place, free);
    spec.setRequest(request.request());
    spec.setResourceList(request.resourceList());
    List<QueueSlots> granted = new ArrayList<>();
    place.slots().forEach((queue, slots) -> granted.add(new QueueSlots(queue.name(), slots)));
    spec.setGridEngine(
        new GridEngineReservation(options.words(KEPT), place.environment(), granted));
    return spec;
  }

  /** A chunk of one processor for each slot, on the very node. */
  private ParsedRequest request(TrialPlace place, FreeCluster free) throws Failure {
    Map<String, Integer> byNode = new LinkedHashMap<>();
    place
        .slots()
        .forEach(
            (queue, slots) ->
                byNode.merge(free.node(queue.host()).orElseThrow(), slots, Integer::sum));
    List<String> chunks = new ArrayList<>();
    byNode.forEach((node, slots) -> chunks.add(slots + ":ncpus=1:vnode=" + node));
    try {
      return call.site()
          .requests()
          .parse(
              List.of(
                  new Attribute("select", String.join("+", chunks)),
                  new Attribute("place", "free")));
    } catch (RequestException e) {
      throw new Failure("error: " + e.getMessage() + "\n", 1);
    }
  }
}
