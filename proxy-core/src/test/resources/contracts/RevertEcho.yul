// Reverts with what it was called with, so that a test chooses the payload of a revert by the data of a call.
// Written for this project, under its licence (Apache-2.0). RevertEcho.hex holds its bytes, assembled by hand:
//
//   creation   600a 600c 6000 39   PUSH1 10  PUSH1 12  PUSH1 0  CODECOPY
//              600a 6000 f3        PUSH1 10  PUSH1 0   RETURN
//   contract   36 6000 6000 37     CALLDATASIZE  PUSH1 0  PUSH1 0  CALLDATACOPY
//              36 6000 fd          CALLDATASIZE  PUSH1 0  REVERT
object "RevertEcho" {
    code {
        datacopy(0, dataoffset("runtime"), datasize("runtime"))
        return(0, datasize("runtime"))
    }
    object "runtime" {
        code {
            calldatacopy(0, 0, calldatasize())
            revert(0, calldatasize())
        }
    }
}
