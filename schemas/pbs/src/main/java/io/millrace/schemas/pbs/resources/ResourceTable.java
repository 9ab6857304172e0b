package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** All resources of a cluster: the built-in ones and those that administrators made. Immutable. */
public final class ResourceTable {

  /** Built-in resources as "name kind flags", one per line. */
  private static final String BUILT_IN =
      """
      accelerator BOOLEAN h
      accelerator_memory SIZE nh
      accelerator_model STRING h
      aoe STRING h
      arch STRING h
      cput DURATION -
      eoe STRING h
      file SIZE -
      hbmem SIZE nh
      host STRING h
      max_walltime DURATION -
      mem SIZE nhm
      min_walltime DURATION -
      mpiprocs LONG nh
      naccelerators LONG nh
      nchunk LONG -
      ncpus LONG nhm
      ngpus LONG nh
      nice LONG -
      nodect LONG r
      nodes STRING -
      ompthreads LONG nh
      pcput DURATION -
      place STRING -
      pmem SIZE -
      pvmem SIZE -
      select STRING -
      site STRING -
      soft_walltime DURATION -
      software STRING -
      vmem SIZE nhm
      vnode STRING h
      vntype STRING h
      walltime DURATION -
      """;

  /** Built-in string resources whose value is a list of words on nodes. */
  private static final Set<String> BUILT_IN_WORDS = Set.of("aoe", "eoe", "vntype");

  private static final String WORDS = "string_array";
  private static final ResourceTable STANDARD = new ResourceTable(builtIn());

  private final SortedMap<String, ResourceDefinition> byName;

  private ResourceTable(SortedMap<String, ResourceDefinition> byName) {
    this.byName = Collections.unmodifiableSortedMap(byName);
  }

  /**
   * Built-in resources and the given ones. Objects of other kinds are ignored, so that callers may
   * pass all objects of a cluster. An object without {@code type} is a string, one with the name of
   * a built-in resource adds nothing.
   */
  public static ResourceTable of(Collection<ClusterObject> resourceObjects) {
    TreeMap<String, ResourceDefinition> all = new TreeMap<>(STANDARD.byName);
    for (ClusterObject object : resourceObjects) {
      if (object.getKind() == ObjectKind.RESOURCE) {
        all.putIfAbsent(object.getName(), definition(object));
      }
    }
    return new ResourceTable(all);
  }

  /** The built-in resources alone. */
  public static ResourceTable standard() {
    return STANDARD;
  }

  public Optional<ResourceDefinition> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** All definitions, by name in alphabetical order. */
  public Collection<ResourceDefinition> definitions() {
    return byName.values();
  }

  /** True for a name that no administrator may create or delete. */
  public static boolean isBuiltIn(String name) {
    return STANDARD.byName.containsKey(name);
  }

  /** The kind that the attribute {@code type} of a resource object names; empty when unknown. */
  public static Optional<ResourceKind> kindOf(String type) {
    return Optional.ofNullable(
        switch (type) {
          case "long" -> ResourceKind.LONG;
          case "size" -> ResourceKind.SIZE;
          case "float" -> ResourceKind.FLOAT;
          case "boolean" -> ResourceKind.BOOLEAN;
          case "string", WORDS -> ResourceKind.STRING;
          case "duration" -> ResourceKind.DURATION;
          default -> null;
        });
  }

  private static ResourceDefinition definition(ClusterObject object) {
    ResourceKind kind = ResourceKind.STRING;
    String flags = "";
    boolean words = false;
    for (Attribute attribute : object.getAttributes()) {
      switch (attribute.getName()) {
        case "type" -> {
          kind = kindOf(attribute.getValue()).orElse(ResourceKind.STRING);
          words = attribute.getValue().equals(WORDS);
        }
        case "flag" -> flags = attribute.getValue();
        default -> {
          // Other attributes of a resource, such as comment, do not affect its definition.
        }
      }
    }
    return new ResourceDefinition(object.getName(), kind, flags, words);
  }

  private static TreeMap<String, ResourceDefinition> builtIn() {
    TreeMap<String, ResourceDefinition> all = new TreeMap<>();
    for (String line : BUILT_IN.lines().toList()) {
      String[] words = line.split(" ");
      String flags = words[2].equals("-") ? "" : words[2];
      ResourceKind kind = ResourceKind.valueOf(words[1]);
      boolean several = BUILT_IN_WORDS.contains(words[0]);
      all.put(words[0], new ResourceDefinition(words[0], kind, flags, several));
    }
    return all;
  }
}
