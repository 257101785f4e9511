// The script of the page that encodes a video. Go calls begin once, and then add for each picture.
let canvas, context, encoder, failure
let chunks = [] // what the encoder has made of the last picture

// begin makes the encoder.
async function begin({width, height, framerate, bitrate}) {
	const config = {codec: 'vp09.00.40.08', width, height, framerate, bitrate, latencyMode: 'quality'}
	if (!globalThis.VideoEncoder) throw new Error('it has no VideoEncoder')
	if (!(await VideoEncoder.isConfigSupported(config)).supported) throw new Error('it does not encode VP9 in this size')
	canvas = new OffscreenCanvas(width, height)
	context = canvas.getContext('2d', {alpha: false})
	encoder = new VideoEncoder({output: take, error: (e) => { failure = e }})
	encoder.configure(config)
}

// take keeps an encoded picture, with its time in microseconds.
function take(chunk) {
	const bytes = new Uint8Array(chunk.byteLength)
	chunk.copyTo(bytes)
	let text = ''
	for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
	chunks.push({at: chunk.timestamp, key: chunk.type === 'key', data: btoa(text)})
}

// add encodes a JPEG, in base64, at a time in microseconds, and returns the result. Without a JPEG, it
// encodes the last picture again. It waits for the encoder: nothing is queued, and nothing that was
// encoded is lost with the browser.
async function add(jpeg, at, key) {
	if (jpeg) await draw(jpeg)
	const frame = new VideoFrame(canvas, {timestamp: at})
	encoder.encode(frame, {keyFrame: key})
	frame.close()
	await encoder.flush()
	if (failure) throw failure
	return chunks.splice(0)
}

// draw draws a JPEG in the middle. If it is larger than the video, it is made smaller.
async function draw(jpeg) {
	const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(jpeg), (c) => c.charCodeAt(0))]))
	const scale = Math.min(1, canvas.width / bitmap.width, canvas.height / bitmap.height)
	const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
	context.clearRect(0, 0, canvas.width, canvas.height)
	context.drawImage(bitmap, (canvas.width - width) >> 1, (canvas.height - height) >> 1, width, height)
	bitmap.close()
}
