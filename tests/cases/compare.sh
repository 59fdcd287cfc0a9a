# `compare`: what is the same, what got faster or slower beyond its interval, what changed, what only one report has.
# SPDX-License-Identifier: MIT
head=experiment,point,key,device,kernel,n,status,time_us,time_lo_us,time_hi_us,ld_sectors
cat > old.csv <<END
$head
x,1,k1,GPU A,copy,1,ok,10,9.9,10.1,32
x,2,k2,GPU A,copy,2,ok,20,19.9,20.1,64
x,3,k3,GPU A,copy,3,ok,30,29.9,30.1,96
x,4,k4,GPU A,copy,4,ok,40,39,41,128
x,5,k5,GPU A,copy,5,ok,50,49,51,160
END
cat > new.csv <<END
$head
x,1,k1,GPU B,copy,1,ok,10.1,10,10.2,32
x,2,k2,GPU B,copy,2,ok,10,9.9,10.1,64
x,3,k3,GPU B,copy,3,wrong,,,,
x,4,k4,GPU B,copy,4,ok,44,43,45,256
x,6,k6,GPU B,copy,6,ok,44,43,45,
END
t gpuexp compare old.csv new.csv
t gpuexp compare old.csv old.csv -q
sed -i '3s/ok,10,/ok,25,/; 3s/9.9,10.1/24,26/' new.csv
t gpuexp compare old.csv new.csv -q
printf 'a,b\n1,2\n' > other.csv
t gpuexp compare old.csv other.csv
t gpuexp compare old.csv missing.csv
