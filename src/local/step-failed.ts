/** A provisioning step failed. The message becomes its `error`: the tool's own output if there is any. */
export class StepFailed extends Error {
	override readonly name = 'StepFailed';
}
