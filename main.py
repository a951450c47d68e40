"""One stack for each cluster of the cluster file. `cdktf synth` runs this; so may you."""

from __future__ import annotations

import os
import sys

from modules.core.faults import INTERRUPTED, InvalidInput
from modules.runtime.node import NodeNotFoundError
from stacks.clusters import clusters_path, load_clusters
from stacks.manifest import Note, notes
from stacks.output import output_folder, synthesized


def main() -> int:
    """Returns the exit code; a file with faults changes nothing."""
    try:
        for note in synthesize():
            print(f"{note.construct}: {note.message}", file=sys.stderr)
    except (InvalidInput, NodeNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: nothing was written.", file=sys.stderr)
        return INTERRUPTED
    return 0


def synthesize() -> list[Note]:
    """Write the stacks; returns what they have to say."""
    clusters = load_clusters(clusters_path(os.environ))
    # These start Node, which a file with faults need not wait for.
    from modules.cdk import App
    from stacks.karpenter import KarpenterStack

    with synthesized(output_folder()) as folder:
        app = App(outdir=str(folder))
        for cluster in clusters:
            KarpenterStack(app, cluster.stack_id, cluster)
        app.synth()
        return notes(folder)


if __name__ == "__main__":
    sys.exit(main())
