"""What HFA knows of coding-agent hosts: the adapter's contract, edits to host files, applying and undoing them."""
