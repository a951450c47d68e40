"""The helm provider: releases kept in memory, local charts rendered by Helm's own library."""
