package io.millrace.server.gateway.reservation;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.chart.NodeChart;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What jobs and reservations hold of nodes in a period, drawn. */
public final class NodeCharts {

  /** The latest time that a reservation can have, in the year 9999. */
  private static final long LATEST_MS = 253_402_300_800_000L;

  private NodeCharts() {}

  /**
   * Prints the chart.
   *
   * @param fromMs start of the period; null for now
   * @param toMs its end; null for a day behind its start
   * @param nodes which nodes are drawn; null for all
   * @param refused exit status for times that make no period
   */
  public static void print(Call call, Long fromMs, Long toMs, Set<String> nodes, int refused)
      throws Failure, QueryException, InterruptedException {
    long nowMs = call.site().clock().millis();
    long from = fromMs == null ? nowMs / 1000 * 1000 : fromMs;
    long to = toMs == null ? from + TimeUnit.DAYS.toMillis(1) : toMs;
    if (to <= from || from < 0 || to > LATEST_MS) {
      throw call.failure(PbsError.BAD_TIMES.text(), refused);
    }
    NodeChart chart = new NodeChart(from, to);
    Site site = call.wholeSite();
    Map<String, ClusterObject> objects = new HashMap<>();
    site.cluster().all(ObjectKind.NODE).forEach(it -> objects.put(it.getName(), it));
    for (Node node : site.queries().nodes()) {
      ClusterObject object = objects.get(node.getName());
      if (object != null && (nodes == null || nodes.contains(node.getName()))) {
        chart.node(node.getName(), node.getUp() && OtherWords.reservable(object));
      }
    }
    site.queries().reservations().forEach(it -> add(chart, it));
    RunsOfSite.each(
        call,
        false,
        job -> true,
        job -> {
          // One that is late goes on for now.
          long endMs = Math.max(RunsOfSite.endMs(job), nowMs + 1);
          List<NodeShare> has =
              RunsOfSite.hasNodes(job) ? job.getAllocation().getShares() : List.of();
          for (NodeShare share : has) {
            chart.hold(share.getNode(), job.getStartedMs(), endMs, NodeChart.Holder.JOB);
          }
        });
    Times times = new Times(call.zone());
    int width = call.invocation().columns();
    call.out("From " + times.ctime(from) + " until " + times.ctime(to) + "\n");
    call.out(chart.text(width, call.zone()));
  }

  /** The nodes of reservations at any time. */
  public static Set<String> nodes(Collection<Reservation> reservations) {
    Set<String> nodes = new HashSet<>();
    for (Reservation each : reservations) {
      for (BookedTime time : BookedTime.of(each)) {
        time.booked().stream().map(BookedNode::getNode).forEach(nodes::add);
      }
    }
    return nodes;
  }

  private static void add(NodeChart chart, Reservation reservation) {
    boolean maintenance = !reservation.getSpec().getMaintained().isEmpty();
    NodeChart.Holder holder = maintenance ? NodeChart.Holder.MAINTENANCE : NodeChart.Holder.BOOKING;
    for (BookedTime time : BookedTime.of(reservation)) {
      for (BookedNode booked : time.booked()) {
        chart.hold(booked.getNode(), time.startMs(), time.endMs(), holder);
      }
    }
  }
}
