/*
about: it ends nowhere
