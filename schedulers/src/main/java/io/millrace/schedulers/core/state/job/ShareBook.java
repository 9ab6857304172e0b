package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.SiteRules.FairShareRules;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import io.millrace.schemas.pbs.schedconfig.share.ShareVertex;
import java.util.Arrays;
import java.util.Objects;

/** The entity of fair share that each class of jobs counts for; empty without fair share. */
public final class ShareBook {

  private FairShareRules shares;
  private boolean entitiesChanged;

  /**
   * Vertex of each class, by its number; one of an earlier class of the number has another name.
   */
  private ShareVertex[] ofClass = {};

  /** What a job uses of what it asks for, and the resources by which that was worked out. */
  private RequestedUsage requested;

  private ResourceTable requestedBy;

  /** True when jobs belong to entities. */
  public boolean on() {
    return shares != null;
  }

  /** Fair share as the site's policy wants it; null for none. */
  public FairShareRules shares() {
    return shares;
  }

  /**
   * Sets what the site's policy says.
   *
   * @return true when the order of jobs may be another
   */
  public boolean set(FairShareRules other) {
    boolean changed = shares != other;
    entitiesChanged =
        !Objects.equals(
            shares == null ? null : shares.entity(), other == null ? null : other.entity());
    shares = other;
    if (changed) {
      ofClass = new ShareVertex[0];
      requested = null;
    }
    return changed;
  }

  /** What a job that starts will use of its entity's share; only where jobs belong to entities. */
  public RequestedUsage requested(ResourceNames names, ResourceTable resources) {
    if (requested == null || requestedBy != resources) {
      requested = new RequestedUsage(shares.usage(), names, resources);
      requestedBy = resources;
    }
    return requested;
  }

  /** True when the last policy that was set counts other entities than the one before. */
  public boolean entitiesChanged() {
    return entitiesChanged;
  }

  /** The owner of a job with its entity. */
  public JobOwner owner(JobSpec spec) {
    return owner(JobOwner.of(spec), spec.getQueue());
  }

  /** The same owner with the entity whose share its jobs in a queue use. */
  public JobOwner owner(JobOwner owner, String queue) {
    if (shares == null) {
      return owner.of("");
    }
    Entities.Of whose =
        new Entities.Of(owner.user(), owner.group(), owner.account(), owner.project(), queue);
    return owner.of(shares.entity().of(whose));
  }

  /** The vertex of the entity to which the jobs of a class belong. */
  public ShareVertex of(ClassState owner) {
    int id = owner.id();
    if (id >= ofClass.length) {
      ofClass = Arrays.copyOf(ofClass, Math.max(id + 1, ofClass.length + (ofClass.length >> 1)));
    }
    String entity = owner.account().entity();
    ShareVertex known = ofClass[id];
    if (known == null || !known.name().equals(entity)) {
      known = shares.tree().entity(entity);
      ofClass[id] = known;
    }
    return known;
  }

  /** True when the jobs of a class do not start, because their entity is entitled to nothing. */
  public boolean excluded(ClassState owner) {
    return shares != null && shares.enforced() && of(owner).percentage() <= 0;
  }

  /** True when the entity of a class has used more than it is entitled to. */
  public boolean isOver(ClassState owner) {
    return shares != null && shares.tree().isOver(of(owner));
  }

  /** Which of two classes was more deserving as the cycle began; below 0 for the first. */
  int compare(ClassState a, ClassState b) {
    return ShareTree.compareAsSeen(of(a), of(b));
  }
}
