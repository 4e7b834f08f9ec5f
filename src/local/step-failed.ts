/** A provisioning step failed; the message is what its `error` shows: the tool's own words where there are any. */
export class StepFailed extends Error {
	override readonly name = 'StepFailed';
}
