package io.millrace.server.core.admission;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.Nodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Custom resources with the flag r: users see them and have what defaults give them; what stands
 * behind {@code -l}, also in a select, is for operators and managers.
 */
public final class ReadOnlyResources {
  private static final char FLAG = 'r';
  private static final String SELECT = "select";
  private static final String NODES = "nodes";

  private ReadOnlyResources() {}

  /**
   * Refuses a user's request, or change of one, that names a read-only resource.
   *
   * @param before what was asked for before; null for nothing
   * @param after what is asked for now; null for nothing
   */
  public static void check(Context c, List<Attribute> before, List<Attribute> after)
      throws PbsRefusal {
    if (c.isOperator() || after == null) {
      return;
    }
    Set<String> names = names(c);
    if (names.isEmpty()) {
      return;
    }
    List<RequestedResource> was = requested(names, before);
    List<RequestedResource> is = requested(names, after);
    if (!sorted(was).equals(sorted(is))) {
      RequestedResource first = first(is, was).or(() -> first(was, is)).orElseGet(() -> is.get(0));
      throw first.form().equals(SELECT)
          ? new PbsRefusal(PbsError.INVALID_IN_SELECT, ": " + first.resource())
          : new PbsRefusal(PbsError.READ_ONLY_ATTRIBUTE, " Resource_List." + first.resource());
    }
  }

  private static Optional<RequestedResource> first(
      List<RequestedResource> of, List<RequestedResource> without) {
    return of.stream().filter(wish -> !without.contains(wish)).findFirst();
  }

  private static List<RequestedResource> sorted(List<RequestedResource> requested) {
    return requested.stream()
        .sorted(
            Comparator.comparing(RequestedResource::resource)
                .thenComparing(RequestedResource::value)
                .thenComparing(RequestedResource::form))
        .toList();
  }

  private static Set<String> names(Context c) {
    Set<String> names = new HashSet<>();
    Nodes.each(
        c.view(),
        ObjectKind.RESOURCE,
        it -> {
          if (Context.attribute(it, AttributeTable.FLAG, "").indexOf(FLAG) >= 0) {
            names.add(it.getName());
          }
        });
    return names;
  }

  /**
   * A request for one of the resources.
   *
   * @param form select or nodes where it stands in one; otherwise the resource's name
   */
  private record RequestedResource(String form, String resource, String value) {}

  /** As PBS looks at them: those of a select, then all others, each in their order. */
  private static List<RequestedResource> requested(Set<String> names, List<Attribute> asked) {
    List<RequestedResource> ofSelect = new ArrayList<>();
    List<RequestedResource> others = new ArrayList<>();
    for (Attribute each : asked == null ? List.<Attribute>of() : asked) {
      if (each.getName().equals(SELECT)) {
        for (String word : each.getValue().split("[+:]")) {
          add(ofSelect, names, SELECT, word);
        }
      } else if (each.getName().equals(NODES)) {
        for (String word : each.getValue().split("[+:#]")) {
          // A name without a value requests the boolean resource of that name.
          add(others, names, NODES, word.indexOf('=') < 0 ? word + "=" : word);
        }
      } else {
        add(others, names, each.getName(), each.getName() + "=" + each.getValue());
      }
    }
    ofSelect.addAll(others);
    return ofSelect;
  }

  private static void add(
      List<RequestedResource> requested, Set<String> names, String form, String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? "" : word.substring(0, equals).strip();
    if (names.contains(name)) {
      requested.add(new RequestedResource(form, name, word.substring(equals + 1).strip()));
    }
  }
}
