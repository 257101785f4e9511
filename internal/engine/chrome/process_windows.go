package chrome

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object with the browser and its children. Windows kills them when chela's last
// handle of the job closes, at the latest when chela ends.
type group struct{ job windows.Handle }

// startGroup starts cmd and puts it into a job. Processes that cmd starts before it is in the job
// are not in the job, so this happens right after its start. A browser that cannot be put into a
// job is killed, since nothing would end it with chela.
func startGroup(cmd *exec.Cmd) (group, error) {
	job, err := newJob()
	if err != nil {
		return group{}, err
	}
	if err := cmd.Start(); err != nil {
		return group{}, errors.Join(err, windows.CloseHandle(job))
	}
	if err := assign(job, cmd.Process.Pid); err != nil {
		return group{}, errors.Join(err, cmd.Process.Kill(), windows.CloseHandle(job))
	}
	return group{job}, nil
}

// newJob makes a job whose processes are killed when its last handle closes.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return 0, errors.Join(err, windows.CloseHandle(job))
	}
	return job, nil
}

// assign puts a process into the job. Processes that it starts from now on will be in the job as
// well.
func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// terminate returns ErrUnsupported: Windows has no signal that asks a process to exit. There, the
// DevTools command Browser.close asks the browser to end.
func (g group) terminate() error { return errors.ErrUnsupported }

// kill ends all processes of the job at once.
func (g group) kill() error { return windows.TerminateJobObject(g.job, 1) }

// gone closes chela's handle of the job, and returns true. The processes of the job have already
// ended: TerminateJobObject returns only after that.
func (g group) gone() bool {
	windows.CloseHandle(g.job)
	return true
}

func tryNamespace() error { return nil }

// usesProfile is never called: Chromium's lock on Windows is no symbolic link.
func usesProfile(int, string) (uses, certain bool) { return true, false }

// endOther is never called, because EndHolder finds no mark on Windows.
func endOther(context.Context, *os.Process) error { return errors.ErrUnsupported }
