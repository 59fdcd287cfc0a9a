/*
threads: n
entry: 3-x
*/
