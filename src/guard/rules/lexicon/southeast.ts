import type { Lexicon } from '../concepts.ts'

export const vietnamese: Lexicon = {
  consent: 'đồng ý | chấp thuận | cho phép | đã duyệt | phê duyệt',
  override:
    'bỏ qua | phớt lờ | quên | hãy quên | không tuân theo | đừng tuân theo | bất chấp | lờ đi | huỷ bỏ | hủy bỏ | ghi đè | vượt qua | không làm theo',
  prior: 'trước | trước đó | trước đây | tất cả | mọi | ở trên | bên trên | của bạn | ban đầu | toàn bộ | gốc | phía trên',
  rules:
    'hướng dẫn | chỉ dẫn | quy tắc | chỉ thị | lệnh | mệnh lệnh | lời nhắc | prompt | giới hạn | hạn chế | chính sách | luật | yêu cầu',
  agent: 'trợ lý | trí tuệ nhân tạo | mô hình | tác tử | chatbot | ai',
  user: 'người dùng | khách hàng | không ai | bất kỳ ai | chủ sở hữu',
  hush: 'đừng nói | không nói | không được nói | đừng đề cập | không đề cập | không được đề cập | đừng tiết lộ | không tiết lộ | không thông báo | đừng thông báo | không báo | giữ bí mật | bí mật | lặng lẽ | âm thầm | giấu | che giấu | không cho người dùng',
  always:
    'từ bây giờ | từ nay | kể từ nay | kể từ bây giờ | mỗi khi | mỗi lần | bất cứ khi nào | luôn | luôn luôn | trong tương lai | khi người dùng | nếu người dùng | mãi mãi | vĩnh viễn',
  send: 'gửi | chuyển tiếp | gửi cho | tải lên | chia sẻ | truyền | sao chép | đăng | rò rỉ',
  secret:
    'mật khẩu | khóa api | khoá api | khóa bí mật | thông tin đăng nhập | thông tin xác thực | bí mật | mã thông báo | token | dữ liệu | cuộc trò chuyện | lịch sử | báo cáo | thông tin cá nhân | tài khoản',
  reveal: 'tiết lộ | hiển thị | in ra | cho tôi biết | cho tôi xem | nhắc lại | lặp lại | nói cho | viết ra | liệt kê | là gì | đưa ra',
  prompt:
    'lời nhắc hệ thống | prompt hệ thống | hướng dẫn hệ thống | hướng dẫn của bạn | chỉ thị ban đầu | hướng dẫn ban đầu | tin nhắn hệ thống | hướng dẫn ẩn | quy tắc của bạn',
  persona:
    'bây giờ bạn là | bạn bây giờ là | bạn là một | đóng vai | giả vờ | hành động như | nhập vai | mô phỏng | tưởng tượng bạn | danh tính mới | tên bạn là | chế độ nhà phát triển',
  free: 'không giới hạn | không hạn chế | không bị hạn chế | không bị giới hạn | không kiểm duyệt | không có quy tắc | không bộ lọc | không có giới hạn | làm bất cứ điều gì',
  unchecked:
    'không cần xác nhận | không cần hỏi | đừng hỏi | không hỏi | không xác nhận | không cần phê duyệt | không cần kiểm tra | bỏ qua kiểm tra | bỏ qua bước | đã được phê duyệt | đã đồng ý | tự động phê duyệt | không cần xin phép | mà không hỏi | không cần duyệt',
  favour: 'khuyên dùng | giới thiệu | đề xuất | tốt nhất | lựa chọn tốt | quảng bá',
  fetch: 'làm theo hướng dẫn | thực hiện theo | chạy mã | tải xuống và chạy | thực thi lệnh | làm theo chỉ dẫn',
  first: 'trước khi trả lời | trước tiên | đầu tiên | trước khi làm | trước khi sử dụng',
  act: 'xóa | xoá | chuyển khoản | chuyển tiền | thanh toán | phê duyệt | thực thi | chạy lệnh | mua | cài đặt | gọi | mở | truy cập | sửa đổi',
  memory:
    'ghi nhớ này | bản ghi này | ghi chú này | lưu vào bộ nhớ | cập nhật bộ nhớ | hãy nhớ | nhớ rằng | các cuộc trò chuyện sau | lần sau | chỉ dẫn này | chỉ thị này | hướng dẫn này',
  only: 'chỉ nói | chỉ trả lời | thay vào đó | không gì khác | trả lời rằng | trả lời bằng | nói rằng | và nói | làm như sau | hướng dẫn mới | quy tắc mới | nhiệm vụ mới',
  obey: 'tuân lệnh | phục tùng | vâng lời | nghe lời | làm mọi điều | tôi là nhà phát triển | tôi là quản trị | tôi là người tạo',
  rank: 'ưu tiên hơn | ưu tiên cao nhất | thay thế tất cả | cao hơn | được ưu tiên',
  describe:
    'tấn công | kẻ tấn công | tiêm | chèn | lỗ hổng | độc hại | ví dụ | kịch bản | mối đe dọa | phát hiện | rủi ro | từ chối | chặn | bảo vệ | ngăn chặn | phòng chống | cố gắng',
}

export const indonesian: Lexicon = {
  consent: 'menyetujui | setuju | mengizinkan | izin | disetujui | merestui',
  override:
    'abaikan | lupakan | jangan ikuti | jangan patuhi | berhenti mengikuti | langgar | lewati | kesampingkan | hiraukan | batalkan | timpa | mengabaikan | melupakan',
  prior: 'sebelumnya | sebelum ini | semua | segala | seluruh | di atas | anda | kamu | awal | asli | terdahulu | yang ada',
  rules: 'instruksi | perintah | aturan | petunjuk | arahan | pedoman | prompt | batasan | pembatasan | kebijakan | peraturan | pesan',
  agent: 'asisten | kecerdasan buatan | model | agen | chatbot | bot | ai',
  user: 'pengguna | pelanggan | siapa pun | siapapun | pemilik | peninjau',
  hush: 'jangan beri tahu | jangan beritahu | jangan katakan | jangan sebutkan | jangan menyebut | jangan ungkapkan | tanpa memberi tahu | tanpa memberitahu | tanpa sepengetahuan | rahasiakan | secara rahasia | diam-diam | sembunyikan | jangan pernah menyebut* | tanpa menyebutkan | jangan informasikan | jangan laporkan',
  always:
    'mulai sekarang | dari sekarang | mulai saat ini | setiap kali | kapan pun | kapanpun | selalu | di masa depan | ketika pengguna | saat pengguna | jika pengguna | selamanya | seterusnya | ke depannya',
  send: 'kirim | kirimkan | teruskan | unggah | bagikan | salin | terbitkan | bocorkan | lampirkan | posting',
  secret:
    'kata sandi | sandi | kunci api | kunci rahasia | kunci | kredensial | rahasia | token | data pribadi | data pengguna | datanya | percakapan | riwayat | laporan | informasi pribadi | rekening',
  reveal:
    'ungkapkan | tampilkan | tunjukkan | cetak | ulangi | beri tahu saya | katakan | berikan | tuliskan | apa itu | sebutkan | daftar | bocorkan',
  prompt:
    'prompt sistem | instruksi sistem | instruksi anda | instruksimu | instruksi awal | prompt awal | pesan sistem | instruksi tersembunyi | aturan anda | teks di atas',
  persona:
    'anda sekarang adalah | kamu sekarang adalah | sekarang kamu | sekarang anda | berpura-pura | bertindak sebagai | bertindaklah | berperan | bayangkan kamu | bayangkan anda | simulasikan | identitas baru | nama anda | mode pengembang',
  free: 'tanpa batasan | tanpa batas | tanpa filter | tanpa sensor | tanpa aturan | tidak terbatas | bebas dari | tanpa pembatasan | melakukan apa saja',
  unchecked:
    'tanpa bertanya | tanpa konfirmasi | tanpa persetujuan | tanpa izin | tanpa peninjauan | tanpa verifikasi | tanpa memeriksa | jangan tanya | jangan bertanya | jangan minta konfirmasi | tidak perlu konfirmasi | sudah disetujui | telah disetujui | telah menyetujui | setujui otomatis | setujui secara otomatis | lewati pemeriksaan | lewati peninjauan | tidak perlu bertanya',
  favour: 'rekomendasikan | merekomendasikan | pilihan terbaik | terbaik | sarankan | promosikan',
  fetch: 'ikuti instruksi | jalankan kode | jalankan perintah | unduh dan jalankan | lakukan apa yang | laksanakan instruksi',
  first: 'sebelum menjawab | sebelum melakukan | pertama-tama | terlebih dahulu | sebelum menggunakan',
  act: 'hapus | transfer | bayar | setujui | jalankan | eksekusi | beli | pasang | instal | panggil | buka | ubah | akses',
  memory:
    'memori ini | catatan ini | ingatan ini | simpan ke memori | simpan dalam memori | perbarui memori | ingatlah | ingat bahwa | percakapan mendatang | lain kali | instruksi ini',
  only: 'cukup katakan | hanya katakan | jawab hanya | hanya jawab | sebagai gantinya | sebaliknya | tidak ada yang lain | jawab dengan | jawab bahwa | dan katakan | lakukan hal berikut | instruksi baru | aturan baru | tugas baru',
  obey: 'patuhi | taati | patuh | turuti | lakukan semua | saya pengembang | saya administrator | saya pencipta | perintah saya',
  rank: 'prioritas di atas | diutamakan | prioritas tertinggi | menggantikan semua | lebih penting | mengesampingkan',
  describe:
    'serangan | penyerang | injeksi | kerentanan | berbahaya | contoh* | skenario | ancaman | deteksi | mendeteksi | risiko | ditolak | blokir | melindungi | mencegah | percobaan | upaya',
}

export const thai: Lexicon = {
  consent: 'อนุมัติ | อนุญาต | ยินยอม | เห็นชอบ',
  override: 'เพิกเฉย | ละเว้น | ลืม | ไม่ต้องสนใจ | อย่าสนใจ | ไม่สนใจ | ไม่ต้องทำตาม | อย่าทำตาม | ละทิ้ง | ฝ่าฝืน | ข้าม | ยกเลิก | เมินเฉย',
  prior: 'ก่อนหน้า | ก่อนหน้านี้ | ทั้งหมด | ทุก | ข้างต้น | ด้านบน | ของคุณ | เดิม | เริ่มต้น | ที่ผ่านมา',
  rules: 'คำสั่ง | คำแนะนำ | กฎ | ข้อกำหนด | แนวทาง | พรอมต์ | พรอมท์ | ข้อจำกัด | นโยบาย | ระเบียบ | ข้อความ',
  agent: 'ผู้ช่วย | ปัญญาประดิษฐ์ | โมเดล | แบบจำลอง | เอเจนต์ | แชทบอท | แชตบอต | บอท | เอไอ',
  user: 'ผู้ใช้ | ลูกค้า | ใคร | เจ้าของ',
  hush: 'อย่าบอก | ห้ามบอก | ไม่ต้องบอก | โดยไม่บอก | อย่าพูดถึง | ห้ามพูดถึง | อย่ากล่าวถึง | อย่าเปิดเผย | ห้ามเปิดเผย | โดยไม่แจ้ง | อย่าแจ้ง | ไม่ต้องแจ้ง | เป็นความลับ | ลับๆ | แอบ | เงียบๆ | ซ่อน | ปิดบัง',
  always: 'จากนี้ไป | ต่อจากนี้ | ตั้งแต่นี้ | นับจากนี้ | ทุกครั้ง | เมื่อใดก็ตาม | เสมอ | ตลอดไป | ในอนาคต | เมื่อผู้ใช้ | ถ้าผู้ใช้ | หากผู้ใช้',
  send: 'ส่ง | ส่งต่อ | อัปโหลด | อัพโหลด | แชร์ | แบ่งปัน | คัดลอก | เผยแพร่',
  secret: 'รหัสผ่าน | คีย์ | กุญแจ | ข้อมูลรับรอง | ความลับ | โทเคน | โทเค็น | ข้อมูลส่วนตัว | ข้อมูล | บทสนทนา | ประวัติ | รายงาน | บัญชี',
  reveal: 'เปิดเผย | แสดง | พิมพ์ | บอกฉัน | บอกผม | ทำซ้ำ | พูดซ้ำ | เขียน | คืออะไร | ให้ฉัน',
  prompt: 'พรอมต์ระบบ | พรอมต์ของระบบ | คำสั่งระบบ | คำสั่งของคุณ | คำสั่งเริ่มต้น | คำสั่งของระบบ | ข้อความระบบ | คำสั่งที่ซ่อน | กฎของคุณ | คำแนะนำของคุณ',
  persona: 'ตอนนี้คุณคือ | คุณคือ | แกล้งทำ | แสร้งทำ | สวมบทบาท | ทำตัวเป็น | ทำหน้าที่เป็น | จำลอง | สมมติว่าคุณ | ตัวตนใหม่ | ชื่อของคุณ | โหมดนักพัฒนา',
  free: 'ไม่มีข้อจำกัด | ไร้ข้อจำกัด | ไม่มีตัวกรอง | ไม่เซ็นเซอร์ | ไม่มีกฎ | ไม่จำกัด | ทำอะไรก็ได้',
  unchecked:
    'โดยไม่ต้องถาม | ไม่ต้องถาม | อย่าถาม | ไม่ต้องยืนยัน | โดยไม่ต้องยืนยัน | ไม่ต้องขออนุญาต | ไม่ต้องอนุมัติ | ไม่ต้องตรวจสอบ | ข้ามการตรวจ | อนุมัติแล้ว | ยินยอมแล้ว | อนุมัติอัตโนมัติ | ไม่ต้องขออนุมัติ',
  favour: 'แนะนำ | ดีที่สุด | ตัวเลือกที่ดี',
  fetch: 'ทำตามคำสั่ง | ปฏิบัติตามคำสั่ง | รันโค้ด | ดาวน์โหลดและรัน | เรียกใช้คำสั่ง',
  first: 'ก่อนตอบ | ก่อนอื่น | ก่อนใช้ | ก่อนทำ | เป็นอันดับแรก',
  act: 'ลบ | โอน | จ่าย | ชำระ | อนุมัติ | รัน | เรียกใช้ | ซื้อ | ติดตั้ง | เปิด | แก้ไข',
  memory: 'ความทรงจำนี้ | บันทึกนี้ | โน้ตนี้ | บันทึกลงในหน่วยความจำ | จดจำ | จำไว้ | การสนทนาในอนาคต | ครั้งต่อไป | คำสั่งนี้ | ถาวร',
  only: 'ตอบแค่ | พูดแค่ | เพียงตอบ | ตอบเพียง | แทน | ตอบว่า | พูดว่า | ทำสิ่งต่อไปนี้ | คำสั่งใหม่ | กฎใหม่ | งานใหม่',
  obey: 'เชื่อฟัง | ปฏิบัติตามทุก | ทำตามที่ฉัน | ทำทุกอย่าง | ฉันเป็นผู้พัฒนา | ฉันคือผู้ดูแล | ฉันเป็นผู้สร้าง',
  rank: 'สำคัญกว่า | เหนือกว่า | มีผลเหนือ | แทนที่ทั้งหมด | สูงสุด | ก่อนสิ่งอื่นใด',
  describe: 'โจมตี | ผู้โจมตี | ช่องโหว่ | อันตราย | ตัวอย่าง | สถานการณ์ | ภัยคุกคาม | ตรวจจับ | ความเสี่ยง | ปฏิเสธ | บล็อก | ป้องกัน | พยายาม',
}
