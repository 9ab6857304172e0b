package io.millrace.server.core.admission;

import io.millrace.schemas.attributes.AttributeTable;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.core.Context;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Refused;
import io.millrace.server.core.cluster.Nodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Custom resources with the flag r: users see them and have what defaults give them; what stands
 * behind {@code -l}, also in a select, is for operators and managers.
 */
public final class ReadOnlyResources {
  private static final char FLAG = 'r';
  private static final String SELECT = "select";
  private static final List<String> FORMS = List.of(SELECT, "nodes");

  private ReadOnlyResources() {}

  /**
   * Refuses what a user may not say.
   *
   * @param before what was asked for before; null for nothing
   * @param after what is asked for now; null for nothing
   */
  public static void check(Context c, List<Attribute> before, List<Attribute> after)
      throws Refused {
    if (c.isOperator() || after == null) {
      return;
    }
    Set<String> names = names(c);
    if (names.isEmpty()) {
      return;
    }
    List<Wish> was = wishes(names, before);
    List<Wish> is = wishes(names, after);
    if (!was.equals(is)) {
      is.addAll(was);
      Wish first = is.get(0);
      throw first.form().equals(SELECT)
          ? new Refused(PbsError.INVALID_IN_SELECT, ": " + first.resource())
          : new Refused(PbsError.READ_ONLY_ATTRIBUTE, " Resource_List." + first.resource());
    }
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
   * For one of the resources.
   *
   * @param form select or nodes where it stands in one; otherwise the resource's name
   */
  private record Wish(String form, String resource, String value) {}

  /** Of all that is asked for, in order. */
  private static List<Wish> wishes(Set<String> names, List<Attribute> asked) {
    List<Wish> wishes = new ArrayList<>();
    for (Attribute each : asked == null ? List.<Attribute>of() : asked) {
      boolean several = FORMS.contains(each.getName());
      for (String part :
          several
              ? List.of(each.getValue().split("[+:#]"))
              : List.of(each.getName() + "=" + each.getValue())) {
        // A word alone in nodes is a wish for the boolean of that name.
        String word = part.indexOf('=') < 0 ? part + "=" : part;
        int equals = word.indexOf('=');
        String name = word.substring(0, equals).strip();
        if (names.contains(name)) {
          wishes.add(new Wish(each.getName(), name, word.substring(equals + 1).strip()));
        }
      }
    }
    wishes.sort(
        Comparator.comparing(Wish::resource).thenComparing(Wish::value).thenComparing(Wish::form));
    return wishes;
  }
}
