package io.millrace.server.core.state;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Has records of reservations that were just decoded share what is equal in them: what they have of
 * a node, amounts, and texts. Each has many nodes, mostly with the same amounts.
 */
public final class SharedParts implements UnaryOperator<Reservation> {
  private final Map<String, String> texts = new HashMap<>();
  private final Map<Map<String, Long>, Map<String, Long>> amounts = new HashMap<>();
  private final Map<String, KnownNode> nodes = new HashMap<>();

  /** Looked at first: the amounts of a record's nodes are mostly the same. */
  private Map<String, Long> last = Map.of();

  /** What was had last of a node; the next record mostly has the same of it. */
  private static final class KnownNode {
    private final String name;
    private NodeShare share;
    private BookedNode booked;

    KnownNode(String name) {
      this.name = name;
    }
  }

  /**
   * Changes the record itself, which nobody else may have yet. What it shares with others is not to
   * be changed any more.
   *
   * @return the same record
   */
  @Override
  public Reservation apply(Reservation fresh) {
    spec(fresh.getSpec());
    fresh.setScheduler(text(fresh.getScheduler()));
    shares(fresh.getShares());
    booked(fresh.getBooked());
    for (Placement placement : fresh.getPlacements()) {
      shares(placement.getShares());
      booked(placement.getBooked());
    }
    return fresh;
  }

  private void spec(ReservationSpec spec) {
    spec.setOwner(text(spec.getOwner()));
    spec.setGroup(text(spec.getGroup()));
    spec.setSubmitHost(text(spec.getSubmitHost()));
    spec.setPartition(text(spec.getPartition()));
    spec.getRequest().setPlace(text(spec.getRequest().getPlace()));
    spec.getUsers().replaceAll(this::text);
    attributes(spec.getResourceList());
    attributes(spec.getVariables());
  }

  private void attributes(List<Attribute> attributes) {
    for (Attribute attribute : attributes) {
      attribute.setName(text(attribute.getName()));
      attribute.setValue(text(attribute.getValue()));
    }
  }

  private void shares(List<NodeShare> shares) {
    for (int i = 0; i < shares.size(); i++) {
      NodeShare share = shares.get(i);
      KnownNode node = nodes.computeIfAbsent(share.getNode(), KnownNode::new);
      Map<String, Long> had = amounts(share.getAmounts());
      NodeShare known = node.share;
      if (known != null
          && known.getAmounts() == had
          && known.getChunks() == share.getChunks()
          && known.getHost().equals(share.getHost())) {
        shares.set(i, known);
      } else {
        share.setNode(node.name);
        share.setHost(text(share.getHost()));
        share.setAmounts(had);
        node.share = share;
      }
    }
  }

  private void booked(List<BookedNode> booked) {
    for (int i = 0; i < booked.size(); i++) {
      BookedNode one = booked.get(i);
      KnownNode node = nodes.computeIfAbsent(one.getNode(), KnownNode::new);
      Map<String, Long> had = amounts(one.getAmounts());
      BookedNode known = node.booked;
      if (known != null
          && known.getAmounts() == had
          && known.getExclusive() == one.getExclusive()) {
        booked.set(i, known);
      } else {
        one.setNode(node.name);
        one.setAmounts(had);
        node.booked = one;
      }
    }
  }

  private String text(String text) {
    String known = texts.putIfAbsent(text, text);
    return known == null ? text : known;
  }

  private Map<String, Long> amounts(Map<String, Long> one) {
    if (!one.equals(last)) {
      last = amounts.computeIfAbsent(one, it -> it);
    }
    return last;
  }
}
