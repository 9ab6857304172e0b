package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.policy.SiteRules.Shares;
import io.millrace.schedulers.core.share.ShareTree;
import io.millrace.schedulers.core.share.ShareVertex;
import io.millrace.schemas.common.JobSpec;
import java.util.Arrays;

/** Whose share the jobs of each class use; without fair share it holds nothing. */
public final class ShareBook {

  private Shares shares;

  /**
   * Vertex of each class, by its number; one of an earlier class of the number has another name.
   */
  private ShareVertex[] ofClass = {};

  /** True when jobs belong to entities. */
  public boolean on() {
    return shares != null;
  }

  /** Fair share as the site's policy wants it; null for none. */
  public Shares shares() {
    return shares;
  }

  /**
   * Sets what the site's policy says.
   *
   * @return true when the order of jobs may be another
   */
  public boolean set(Shares other) {
    boolean changed = shares != other;
    shares = other;
    if (changed) {
      ofClass = new ShareVertex[0];
    }
    return changed;
  }

  /** The owner of a job with its entity. */
  public JobOwner owner(JobSpec spec) {
    JobOwner owner = JobOwner.of(spec);
    return shares == null ? owner : owner.of(shares.entity().apply(spec));
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

  /** Which of two classes is more deserving; below 0 for the first. */
  int compare(ClassState a, ClassState b) {
    return ShareTree.compare(of(a), of(b));
  }
}
